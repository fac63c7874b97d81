package io.varve.coordinator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterPainterTest {

  private final RestHarness rest = new RestHarness();
  private final FakeCluster cluster = rest.cluster;

  @AfterEach
  void close() {
    rest.close();
  }

  private ClusterPainter painter(int maxShards) {
    return new ClusterPainter(
        cluster, rest.part(ClusterSelection.class), rest.part(NodeGuards.class), maxShards);
  }

  private static CopyProgress progress(String copyId, long visibleSeqNo, long stamp) {
    return new CopyProgress(
        copyId,
        new ShardId("books-uuid", 0),
        FakeCluster.PRIMARY_NODE,
        copyId.endsWith("p"),
        "STARTED",
        FakeCluster.TERM,
        3,
        visibleSeqNo + 2,
        visibleSeqNo,
        visibleSeqNo,
        512,
        1,
        40,
        20,
        0,
        0,
        stamp);
  }

  @Test
  void showsWhoLeadsAndEachNodesLoad() {
    ClusterPicture picture = painter(10).paint();

    assertThat(picture.leader()).isEqualTo("coordinator-node");
    assertThat(picture.status()).isEqualTo("green");
    assertThat(picture.nodes())
        .extracting(ClusterPicture.Node::name)
        .containsExactly("coordinator-node", "primary-node", "replica-node");
    ClusterPicture.Node node = picture.nodes().getFirst();
    assertThat(node.member()).isTrue();
    assertThat(node.load())
        .isEqualTo(new ClusterPicture.Load(false, 0.25, 1 << 20, 4 << 20, 100 << 20, 75 << 20));
    assertThat(node.rank()).as("it was not searched yet").isNull();
  }

  @Test
  void showsHowFarEachCopyIsBehindItsPrimary() {
    cluster.index("books", 1);
    cluster.progress(progress("books0p", 9, 1));
    cluster.progress(progress("books0r", 6, 1));

    ClusterPicture.Shard shard = painter(10).paint().indices().getFirst().shards().getFirst();

    assertThat(shard.term()).isEqualTo(FakeCluster.TERM);
    assertThat(shard.copies())
        .extracting(ClusterPicture.Copy::role)
        .containsExactly("primary", "replica");
    assertThat(shard.copies().get(0).progress().operationsBehind()).isZero();
    assertThat(shard.copies().get(1).progress())
        .isEqualTo(new ClusterPicture.Progress(false, "STARTED", 6, 3, 512, 40, null));
  }

  @Test
  void marksReportsThatAreOverdue() {
    cluster.stopClock();
    cluster.index("books", 1);
    cluster.progress(progress("books0r", 6, 1));
    ClusterPainter painter = painter(10);
    assertThat(replica(painter).progress().stale()).isFalse();

    cluster.pass(Duration.ofNanos(Freshness.OVERDUE_NANOS + 1));
    assertThat(replica(painter).progress().stale()).isTrue();
    assertThat(painter.paint().nodes().getFirst().load().stale()).isTrue();

    cluster.progress(progress("books0r", 6, 2));
    assertThat(replica(painter).progress().stale()).isFalse();
  }

  private static ClusterPicture.Copy replica(ClusterPainter painter) {
    return painter.paint().indices().getFirst().shards().getFirst().copies().get(1);
  }

  @Test
  void showsCopiesThatDoNotServe() {
    cluster.index("books", 1);
    cluster.all("books", false, CopyRouting.State.INITIALIZING);

    ClusterPicture picture = painter(10).paint();

    assertThat(picture.status()).isEqualTo("yellow");
    assertThat(picture.indices().getFirst().status()).isEqualTo("yellow");
    ClusterPicture.Copy copy = picture.indices().getFirst().shards().getFirst().copies().get(1);
    assertThat(copy.state()).isEqualTo("initializing");
    assertThat(copy.progress()).as("it has reported nothing").isNull();
  }

  @Test
  void leavesOutIndicesThatExceedTheLimit() {
    cluster.index("books", 3);
    cluster.index("films", 2);
    cluster.index("songs", 4);

    ClusterPicture picture = painter(5).paint();

    assertThat(picture.indices())
        .extracting(ClusterPicture.Index::name)
        .containsExactly("books", "films");
    assertThat(picture.omittedShards()).isEqualTo(4);
  }
}
