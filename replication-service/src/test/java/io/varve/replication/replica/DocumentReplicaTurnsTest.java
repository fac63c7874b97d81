package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.RefreshTurns;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A primary and a document replica that share the turns of periodic refreshes. The test holds the
 * only turn, as a refresh of another copy would.
 */
@Timeout(300)
class DocumentReplicaTurnsTest {

  @TempDir private Path data;
  private ReplicaWorld world;
  private DocumentReplicaCopy replica;
  private RefreshTurns.Turn held;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data, Map.of("index.refresh_interval", "50ms", "index.replication.type", "DOCUMENT"));
    world.openPrimary();
    replica = world.newDocumentReplica();
    replica.start();
    held = world.refreshes.ask(0, _ -> {});
    assertThat(held.isRunning()).isTrue();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private long indexed() throws Exception {
    long last = world.index(0, 20);
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> world.refreshes.waiting() == 2);
    assertThat(replica.visible().current()).isEqualTo(-1);
    return last;
  }

  @Test
  void aPeriodicRefreshWaitsForItsTurnAndGivesItBack() throws Exception {
    long last = indexed();

    held.end();

    assertThat(replica.visible().await(last, ReplicaWorld.SOON)).isTrue();
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> world.refreshes.ended() == 3);
    assertThat(world.refreshes.running()).isZero();
  }

  @Test
  void aRequestThatWaitsForAnOperationDoesNotWaitForATurn() throws Exception {
    long last = indexed();

    replica.want(last, new CompletableFuture<>());

    assertThat(replica.visible().await(last, ReplicaWorld.SOON)).isTrue();
    assertThat(held.isRunning()).isTrue();
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> world.refreshes.waiting() == 1);
  }

  @Test
  void aClosedCopyLeavesTheQueue() throws Exception {
    var _ = indexed();

    replica.close();

    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> world.refreshes.waiting() == 1);
  }
}
