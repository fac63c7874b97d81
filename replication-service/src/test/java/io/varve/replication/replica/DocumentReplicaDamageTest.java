package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.host.RottenFiles;
import io.varve.host.ShardCopy;
import io.varve.rpc.ForceMergeRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DOCUMENT replica's segments are corrupted while it is open, and only a merge reads the damaged
 * part.
 */
class DocumentReplicaDamageTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data, Map.of("index.refresh_interval", "-1", "index.replication.type", "DOCUMENT"));
    world.openPrimary();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private void writeASegment(ShardCopy replica, int number) throws InterruptedException {
    long last = world.indexLong(number * 20, number * 20 + 20);
    replica.want(last, new CompletableFuture<>());
    assertThat(replica.visible().await(last, LONG)).isTrue();
  }

  @Test
  void anIdleCopyFailsWhenItsWriterHasEndedInTheBackground() throws Exception {
    DocumentReplicaCopy replica = world.newDocumentReplica();
    replica.start();
    writeASegment(replica, 0);
    writeASegment(replica, 1);
    replica.flush();
    RottenFiles.damageStoredFields(world.indexFolder("n2"));

    assertThatThrownBy(() -> replica.forceMerge(new ForceMergeRequest(1, false, false)))
        .isInstanceOf(RuntimeException.class);

    await()
        .dontCatchUncaughtExceptions()
        .atMost(LONG)
        .until(() -> replica.state() == ShardCopy.State.FAILED);
    assertThat(replica.damage()).isPresent();
    assertThat(world.brokenCopies).singleElement().asString().contains("the writer has ended");
  }
}
