package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a segment replica may start, and what it shows then. */
@Timeout(300)
class ReplicaStartTest extends SegmentReplicaWorld {
  @Test
  void doesNotStartBehindAPrimaryThatServes() throws Exception {
    primaryServes();
    world.index(0, 100);
    world.refresh();
    world.openReplica().close();
    world.index(100, 200);
    world.refresh();
    CountDownLatch several = new CountDownLatch(3);
    world.server.gate =
        (method, rest) -> {
          several.countDown();
          throw new ApiException(503, "unavailable", "away");
        };
    SegmentReplicaCopy again = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> start(again));
    assertThat(several.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(again.state()).isEqualTo(ShardCopy.State.COPYING);
    assertThat(again.serves()).isFalse();

    world.server.gate = (method, rest) -> {};

    starting.join();
    assertThat(again.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(hits(again)).isEqualTo(200);
    assertThat(again.serves()).as("it may show less than others by now").isFalse();
    assertThat(again.showNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(again.serves()).isTrue();
  }

  @Test
  void startsWithWhatItHoldsOnceThePrimaryThatServedIsLost() throws Exception {
    primaryServes();
    world.index(0, 100);
    world.refresh();
    world.openReplica().close();
    world.index(100, 200);
    world.refresh();
    CountDownLatch several = new CountDownLatch(2);
    world.server.gate =
        (method, rest) -> {
          several.countDown();
          throw new ApiException(503, "unavailable", "away");
        };
    SegmentReplicaCopy again = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> start(again));
    assertThat(several.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(again.state()).isEqualTo(ShardCopy.State.COPYING);

    world.happen(new ClusterEvent.NodeLeft("n1", "lost"));

    starting.join();
    assertThat(again.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(again.showNewest(Duration.ZERO)).isTrue();
    assertThat(again.serves()).isFalse();
  }

  @Test
  void isNotReportedAsStartedBeforeItShowsWhatWasPublishedSince() throws Exception {
    primaryServes();
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    assertIsReportedOnlyWithWhatIsPublishedNow(replica);
  }

  /** It is reported again, by the same process, after its node was away from the cluster. */
  @Test
  void isNotReportedAgainBeforeItShowsWhatWasPublishedWhileItsNodeWasAway() throws Exception {
    primaryServes();
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();
    assertIsReportedOnlyWithWhatIsPublishedNow(replica);
  }

  private void assertIsReportedOnlyWithWhatIsPublishedNow(SegmentReplicaCopy replica)
      throws Exception {
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };
    world.index(100, 200);
    long newest = world.refresh();
    assertThat(replica.showNewest(Duration.ofMillis(300))).isFalse();

    world.server.gate = (method, rest) -> {};

    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(replica.visible().current()).isEqualTo(newest);
  }

  /** In the cluster state the primary is started, on a node that is a member. */
  private void primaryServes() throws InterruptedException {
    world.happen(new ClusterEvent.PrimaryAssigned(ReplicaWorld.SHARD, "p0", "n1", 1));
    world.happen(new ClusterEvent.CopyStarted(ReplicaWorld.SHARD, "p0", 1));
    world.awaitRouting(shard -> shard.primary().started());
  }

  @Test
  void triesAgainWithGrowingPausesUntilTheSourceIsBack() throws Exception {
    world.retries = CopyRounds.BACK_OFF;
    SegmentReplicaCopy replica = world.openReplica();
    List<Long> requestedMillis = new CopyOnWriteArrayList<>();
    world.server.gate =
        (method, rest) -> {
          requestedMillis.add(System.nanoTime() / 1_000_000);
          if (requestedMillis.size() <= 3) {
            throw new ApiException(503, "unavailable", "away");
          }
        };
    world.index(0, 10);

    awaitVisible(replica, world.refresh());

    // The pauses are 100 to 200 ms, then twice as long each time; a clock may be 1 ms behind.
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(requestedMillis.get(attempt) - requestedMillis.get(attempt - 1))
          .as("pause %d", attempt)
          .isGreaterThan((50L << attempt) - 5);
    }
  }

  @Test
  void fetchesADamagedFileAgainAfterARestart() throws Exception {
    world.index(0, 100);
    world.refresh();
    world.openReplica().close();
    Path file = world.indexFolder("n2").resolve(world.newestManifest().files().getFirst().name());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    int asked = world.server.filesAsked.size();

    SegmentReplicaCopy again = world.openReplica();

    assertThat(hits(again)).isEqualTo(100);
    assertThat(world.server.filesAsked).hasSize(asked + 1);
    assertThat(file).hasBinaryContent(bytes);
  }
}
