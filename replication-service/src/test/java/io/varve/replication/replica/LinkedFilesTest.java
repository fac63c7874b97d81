package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests nodes whose folders are on the same disk. */
@Timeout(300)
class LinkedFilesTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 1);
    world.openPrimary();
    world.index(0, 500);
    world.refresh();
    world.transfers.linkFiles();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private boolean sameFile(SegmentFile file) throws IOException {
    return Files.isSameFile(
        world.indexFolder("n1").resolve(file.name()), world.indexFolder("n2").resolve(file.name()));
  }

  @Test
  void filesOnTheSameDiskGetASecondNameAndNothingIsCopied() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    world.index(500, 600);
    world.delete(0, 100);
    awaitVisible(replica, world.refresh());

    assertThat(hits(replica)).isEqualTo(500);
    Manifest manifest = world.newestManifest();
    for (SegmentFile file : manifest.files()) {
      assertThat(sameFile(file)).as(file.name()).isTrue();
    }
    assertThat(world.server.filesAsked).isEmpty();
    assertThat(replica.progress().bytesFetched()).isZero();
    assertThat(replica.stats().kept().copied().linkedBytes()).isPositive();
  }

  @Test
  void aCopyKeepsItsNamesWhenTheOtherDropsIts() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    world.losePrimary();
    assertThat(hits(replica)).isEqualTo(500);
    replica.close();

    SegmentReplicaCopy again = world.openReplica();
    assertThat(again.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(hits(again)).isEqualTo(500);
  }

  @Test
  void whatCannotBeLinkedIsCopied() throws Exception {
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET snapshots")) {
            world.server.gate = (otherMethod, otherRest) -> {};
            throw new ApiException(503, "unavailable", "away");
          }
        };
    SegmentReplicaCopy replica = world.openReplica();

    assertThat(hits(replica)).isEqualTo(500);
    assertThat(world.server.filesAsked).isNotEmpty();
    for (SegmentFile file : world.newestManifest().files()) {
      assertThat(sameFile(file)).as(file.name()).isFalse();
    }
  }
}
