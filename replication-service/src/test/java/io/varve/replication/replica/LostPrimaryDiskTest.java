package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SHARD;
import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.store.CodecFile;
import io.varve.store.ExponentialBackOff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * A primary is replaced by its replica, and returns as a replica. Before it has copied anything,
 * its successor is lost with its disk. The log is truncated, so the folder that the former primary
 * left has the only copy of some operations.
 */
@Timeout(300)
class LostPrimaryDiskTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data,
            Map.of(
                "index.refresh_interval", "-1",
                "index.log.retention", "auto",
                "index.replication.type", IndexMetadata.SEGMENT),
            1);
    world.openPrimary();
    world.routePrimary();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  /** Both copies hold 100 documents durably; the log begins behind them. */
  private SegmentReplicaCopy truncatedWithReplica() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    long seqNo = world.index(0, 100);
    commit();
    awaitVisible(replica, seqNo);
    replica.flush();
    world.writer().truncateLog();
    assertThat(world.operations().startOffset()).isPositive();
    return replica;
  }

  private void commit() throws Exception {
    world.refresh();
    world.writer().flush();
  }

  private void promote(SegmentReplicaCopy replica) throws Exception {
    PrimaryCopy promoted = world.promote(replica);
    world.happen(new ClusterEvent.ReplicaPromoted(SHARD, "r1", promoted.term(), "NODE_LEFT"));
    world.happen(new ClusterEvent.CopyStarted(SHARD, "r1", promoted.term()));
    world.awaitRouting(shard -> shard.primary().copyId().equals("r1") && shard.primary().started());
  }

  private void loseSuccessor() throws Exception {
    world.writer().close();
    world.primary = null;
    FileSystemUtils.deleteRecursively(world.indexFolder("n2"));
    world.happen(new ClusterEvent.NodeLeft("n2", "lost"));
  }

  private Map<String, SegmentFile> filesOfFormerPrimary() throws IOException {
    Map<String, SegmentFile> files = new HashMap<>();
    try (Stream<Path> paths = Files.list(world.indexFolder("n1"))) {
      for (Path path : paths.toList()) {
        String name = path.getFileName().toString();
        if (name.startsWith("_")) {
          files.put(name, CodecFile.identify(path));
        }
      }
    }
    return files;
  }

  private PrimaryCopy continueFromTheFormerPrimary() throws Exception {
    assertThatThrownBy(() -> world.openReplicaOn("n1"))
        .hasMessageContaining("the last commit of a primary");
    SegmentReplicaCopy former = world.openReplicaOn("n1");
    assertThat(former.serves()).as("it lacks what others showed").isFalse();
    return world.promote(former);
  }

  @Test
  void aFormerPrimaryContinuesFromItsLastCommit() throws Exception {
    SegmentReplicaCopy replica = truncatedWithReplica();
    world.index(100, 120);
    promote(replica);
    world.index(120, 140);
    world.refresh();
    loseSuccessor();

    PrimaryCopy primary = continueFromTheFormerPrimary();

    assertThat(hits(primary)).isEqualTo(140);
    assertThat(world.index(140, 141)).isEqualTo(140);
  }

  /** A promotion could not recover it, and the primary that is away may return with its folder. */
  @Test
  void aReplicaWhoseManifestTheLogNoLongerContinuesDoesNotStart() throws Exception {
    truncatedWithReplica().close();
    world.index(100, 120);
    commit();
    world.operations().truncateBefore(world.operations().endOffset() - 1);
    world.writer().close();
    world.primary = null;
    world.happen(new ClusterEvent.NodeLeft("n1", "away"));
    ClusterView cluster = world.context("n2", "r1").node().cluster();
    assertThat(cluster.await(state -> state.node("n1").isEmpty(), ReplicaWorld.SOON)).isPresent();
    CountDownLatch failedRounds = new CountDownLatch(3);
    world.retries =
        new ExponentialBackOff(
            1,
            1,
            () -> {
              failedRounds.countDown();
              return 0.5;
            });

    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = startUntilClosed(replica);

    assertThat(failedRounds.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(replica.state()).isEqualTo(ShardCopy.State.COPYING);
    replica.close();
    starting.join();
  }

  private static Thread startUntilClosed(SegmentReplicaCopy replica) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            replica.start();
          } catch (Exception e) {
            assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
          }
        });
  }

  @Test
  void aRoundThatEndsEarlyReplacesNoFileOfTheFolder() throws Exception {
    SegmentReplicaCopy replica = truncatedWithReplica();
    replica.close();
    world.delete(0, 5);
    commit();
    world.delete(5, 10);
    promote(replica);
    Map<String, SegmentFile> before = filesOfFormerPrimary();
    long seqNo = world.indexLong(100, 400);
    int deleted = 10;
    for (world.refresh(); !isNamedOtherwise(before); world.refresh()) {
      assertThat(deleted).as("both primaries update one segment").isLessThan(90);
      seqNo = world.delete(deleted++, deleted);
    }

    endRoundAtTheLargestFile();

    assertThat(filesOfFormerPrimary()).containsAllEntriesOf(before);
    loseSuccessor();
    PrimaryCopy primary = continueFromTheFormerPrimary();
    assertThat(hits(primary)).isEqualTo(400 - deleted);
    assertThat(world.index(400, 401)).isEqualTo(seqNo + 1);
  }

  /** Whether the newest manifest has the name of one of these files for other content. */
  private boolean isNamedOtherwise(Map<String, SegmentFile> files) throws Exception {
    return world.newestManifest().files().stream()
        .anyMatch(file -> files.containsKey(file.name()) && !file.equals(files.get(file.name())));
  }

  /** All other files have arrived by then. */
  private void endRoundAtTheLargestFile() throws Exception {
    world.transfers.askForEachFileAlone();
    String largest =
        world.newestManifest().files().stream()
            .max((a, b) -> Long.compare(a.lengthBytes(), b.lengthBytes()))
            .orElseThrow()
            .name();
    CountDownLatch refused = new CountDownLatch(3);
    world.server.gate =
        (method, rest) -> {
          if (rest.contains(largest)) {
            refused.countDown();
            throw new ApiException(503, "unavailable_shards_exception", "not now");
          }
        };
    SegmentReplicaCopy former = world.newReplicaOn("n1");
    Thread starting = startUntilClosed(former);
    assertThat(refused.await(120, TimeUnit.SECONDS)).isTrue();
    former.close();
    starting.join();
    world.server.gate = (method, rest) -> {};
  }
}
