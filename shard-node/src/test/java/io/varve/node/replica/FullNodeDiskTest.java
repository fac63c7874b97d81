package io.varve.node.replica;

import static io.varve.node.replica.ReplicaWorld.awaitVisible;
import static io.varve.node.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.node.ShardCopy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk of a replica's node is full, and has room again. The disk is a small tmpfs, which takes
 * the right to mount one.
 */
@Timeout(300)
class FullNodeDiskTest {

  private static final int MEGABYTES = 12;

  /** More than after which a copy that is broken is opened anew. */
  private static final int ROUNDS = 7;

  @TempDir private Path data;
  private ReplicaWorld world;
  private final List<Path> mounted = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 1);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
    for (Path disk : mounted) {
      run("umount", "--lazy", disk.toString());
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
  }

  /** Gives a node a small disk of its own. */
  private Path smallDisk(String node) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mount")), "there is no mount(8) here");
    Path disk = Files.createDirectories(data.resolve(node));
    boolean here =
        run("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m", "tmpfs", disk.toString());
    assumeTrue(here, "a tmpfs can't be mounted here: that takes CAP_SYS_ADMIN");
    mounted.add(disk);
    return disk;
  }

  /** Until nothing more can be written. */
  private static Path fill(Path disk) throws IOException {
    Path filler = disk.resolve("filler");
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
      return filler;
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
    Path disk = smallDisk("n2");
    world.openPrimary();
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    Path filler = fill(disk);
    AtomicInteger rounds = countRounds();

    world.indexLong(100, 2_100);
    long newest = world.refresh();

    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> rounds.get() >= ROUNDS);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(replica.serves()).isTrue();
    assertThat(hits(replica)).isEqualTo(100);
    assertThat(world.brokenCopies).isEmpty();

    Files.delete(filler);
    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(2_100);
  }
}
