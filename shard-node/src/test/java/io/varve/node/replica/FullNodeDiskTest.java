package io.varve.node.replica;

import static io.varve.node.replica.ReplicaWorld.awaitVisible;
import static io.varve.node.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.events.SegmentFile;
import io.varve.node.ShardCopy;
import io.varve.node.primary.PrimaryCopy;
import io.varve.rpc.ApiException;
import io.varve.store.CopyPlanner;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node's disk is full: what was acknowledged is in the log, so nothing of it is lost, and the
 * copy goes on when there is room again. The disk is a small tmpfs, which takes the right to mount
 * one; the twin without it has {@code /dev/full} in the place of the files that come.
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

  @Test
  void filesThatFindNoRoomFailTheRoundAndNotTheCopy() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full here");
    world.openPrimary();
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    CountDownLatch placed = new CountDownLatch(1);
    AtomicInteger rounds = new AtomicInteger();
    world.server.gate =
        (method, rest) -> {
          assertThat(placed.await(60, TimeUnit.SECONDS)).isTrue();
          if (method.equals("GET snapshots")) {
            rounds.incrementAndGet();
          }
        };
    world.indexLong(100, 500);
    long newest = world.refresh();
    List<Path> full = new ArrayList<>();
    for (SegmentFile file : world.newestManifest().files()) {
      Path place = world.indexFolder("n2").resolve(CopyPlanner.tempName(file));
      full.add(Files.createSymbolicLink(place, Path.of("/dev/full")));
    }
    placed.countDown();

    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> rounds.get() >= ROUNDS);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(hits(replica)).isEqualTo(100);
    assertThat(world.brokenCopies).isEmpty();

    for (Path place : full) {
      Files.deleteIfExists(place);
    }
    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(500);
  }

  @Test
  void aPrimaryRefusesWritesAndHasAllThatWasAckedWhenThereIsRoom() throws Exception {
    Path disk = smallDisk("n1");
    world.openPrimary();
    world.index(0, 100);
    world.refresh();
    Path filler = fill(disk);

    // The log has room: these are acknowledged.
    long newest = world.indexLong(100, 600);
    assertThat(newest).isEqualTo(599);
    assertThatThrownBy(() -> world.refresh()).isNotNull();

    PrimaryCopy failed = world.writer();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() -> failed.state() == ShardCopy.State.FAILED);
    assertThatThrownBy(() -> world.index(600, 601))
        .isInstanceOfAny(ApiException.class, IllegalStateException.class)
        .hasMessageNotContaining("internal_server_error");
    assertThat(world.brokenCopies).isNotEmpty();

    assertThatThrownBy(() -> world.openPrimary()).isNotNull();

    Files.delete(filler);
    world.openPrimary();
    world.refresh();
    assertThat(hits(world.writer())).isEqualTo(600);
    assertThat(world.index(600, 610)).isEqualTo(609);
  }
}
