package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.host.ShardCopy.State;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy shows more than it holds, and the node with the remaining files is lost permanently: the
 * copy continues from another source, or is reopened with what it holds.
 */
@Timeout(300)
class OpenedWithoutSourceTest {

  private static final int DOCS = 2_000;

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 3);
    world.openPrimary();
    world.clusterSettings(Map.of(ClusterSettings.OPENING_MIN_SIZE, "1b"));
    world.indexLong(0, DOCS);
    world.refresh();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  /** A copy and its start, which completes when the copy is started or has failed. */
  private record Opened(SegmentReplicaCopy copy, CompletableFuture<State> start) {

    void await(State state) {
      Awaitility.await()
          .atMost(ReplicaWorld.SOON)
          .untilAsserted(() -> assertThat(copy.state()).isEqualTo(state));
    }
  }

  private Opened begin(int number) throws Exception {
    SegmentReplicaCopy copy = world.newReplica(number);
    CompletableFuture<State> start = new CompletableFuture<>();
    var _ =
        Thread.ofVirtual()
            .start(() -> {
              try {
                copy.start();
                start.complete(copy.state());
              } catch (Exception e) {
                start.completeExceptionally(e);
              }
            });
    return new Opened(copy, start);
  }

  /** Replica 1 has the first manifest and shows a second one, of which few bytes are local. */
  private Opened openedOverWhatItHolds() throws Exception {
    SegmentReplicaCopy before = world.newReplica(1);
    before.start();
    before.close();
    world.indexLong(DOCS, 2 * DOCS);
    world.refresh();
    world.transfers.hold();
    Opened opened = begin(1);
    opened.await(State.OPENED);
    assertThat(hits(opened.copy())).isEqualTo(2 * DOCS);
    return opened;
  }

  @Test
  void itIsCopiedToTheEndFromThePrimaryWhenTheReplicaThatItCameFromIsLost() throws Exception {
    SegmentReplicaCopy source = world.newReplica(1);
    source.start();
    world.transfers.hold();
    Opened opened = begin(3);
    opened.await(State.OPENED);
    int askedOfThePrimary = world.server.filesAsked.size();

    source.close();
    world.transfers.release();

    assertThat(opened.start().get(120, TimeUnit.SECONDS)).isEqualTo(State.STARTED);
    assertThat(hits(opened.copy())).isEqualTo(DOCS);
    assertThat(opened.copy().searchable().orElseThrow().get("book-77", false).found()).isTrue();
    assertThat(world.server.filesAsked.size()).isGreaterThan(askedOfThePrimary);
  }

  @Test
  void itFollowsTheNextPrimaryWhenItsOwnIsLost() throws Exception {
    world.transfers.hold();
    Opened opened = begin(1);
    opened.await(State.OPENED);
    world.losePrimary();

    world.openPrimaryOn("n3");
    world.refresh();
    world.transfers.release();

    assertThat(opened.start().get(120, TimeUnit.SECONDS)).isEqualTo(State.STARTED);
    assertThat(hits(opened.copy())).isEqualTo(DOCS);
    assertThat(opened.copy().term()).isEqualTo(2);
  }

  @Test
  void withoutAnySourceItIsOpenedAnewAtWhatItHolds() throws Exception {
    Opened opened = openedOverWhatItHolds();

    world.losePrimary();
    for (String node : List.of("n1", "n3", "n4")) {
      world.happen(new ClusterEvent.NodeLeft(node, "lost"));
    }
    world.transfers.release();

    assertThatThrownBy(() -> opened.start().get(120, TimeUnit.SECONDS)).isNotNull();
    assertThat(opened.copy().state()).isEqualTo(State.FAILED);
    assertThat(opened.copy().visible().current())
        .as("what it showed is not taken back by the same copy")
        .isEqualTo(2 * DOCS - 1);
    opened.copy().close();
    Opened again = begin(1);
    assertThat(again.start().get(120, TimeUnit.SECONDS)).isEqualTo(State.STARTED);
    assertThat(again.copy().visible().current()).isEqualTo(DOCS - 1);
    assertThat(hits(again.copy())).isEqualTo(DOCS);
  }
}
