package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.host.ShardCopy;
import io.varve.store.TransferLane;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TransferLimitsTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
    world.transfers.takeOwnBudget();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void aCopyThatIsBuiltTooSlowlyIsDoneOnceTheClustersSettingAllowsMore() throws Exception {
    world.clusterSettings(
        Map.of(ClusterSettings.RECOVERY_RATE, "1b", ClusterSettings.OPENING, "false"));
    world.followLimits();
    assertThat(world.transfers.now().budget().bytesPerSecond(TransferLane.RECOVERY)).isEqualTo(1);
    world.indexLong(0, 500);
    world.refresh();
    SegmentReplicaCopy replica = world.newReplica();
    CompletableFuture<Void> start =
        CompletableFuture.runAsync(() -> {
          try {
            replica.start();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() ->
            replica.state() == ShardCopy.State.COPYING && replica.progress().bytesBehind() > 0);
    assertThat(start).isNotDone();

    world.clusterSettings(
        Map.of(ClusterSettings.RECOVERY_RATE, "-1", ClusterSettings.OPENING, "false"));

    start.get(120, TimeUnit.SECONDS);
    assertThat(hits(replica)).isEqualTo(500);
  }
}
