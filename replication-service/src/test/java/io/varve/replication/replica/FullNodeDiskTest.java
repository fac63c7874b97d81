package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.ShardCopy;
import io.varve.host.SmallDisk;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk of a replica's node fills up and is freed again. The disk is a small tmpfs. */
@Timeout(300)
class FullNodeDiskTest {

  /** More failed rounds than those after which a broken copy is reopened. */
  private static final int ROUNDS = 7;

  @TempDir private Path data;
  private ReplicaWorld world;
  private @Nullable SmallDisk disk;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 1);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
    if (disk != null) {
      disk.close();
    }
  }

  private AtomicInteger countRounds() {
    AtomicInteger rounds = new AtomicInteger();
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET snapshots")) {
            rounds.incrementAndGet();
          }
        };
    return rounds;
  }

  @Test
  void aSegmentReplicaServesWhatItShowsAndGoesOnWhenThereIsRoom() throws Exception {
    SmallDisk small = SmallDisk.Kind.TMPFS.open(data.resolve("n2"));
    disk = small;
    world.openPrimary();
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();
    small.fill();
    AtomicInteger rounds = countRounds();

    world.indexLong(100, 2_100);
    long newest = world.refresh();

    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> rounds.get() >= ROUNDS);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(replica.serves()).isTrue();
    assertThat(hits(replica)).isEqualTo(100);
    assertThat(world.brokenCopies).isEmpty();

    small.makeRoom();
    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(2_100);
  }
}
