package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.store.CodecFile;
import io.varve.store.CopyPlanner;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** A replica is stopped in the middle of its work, or finds its folder changed. */
@Timeout(300)
class ReplicaFaultsTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  /** Closes a replica while it waits at the gate for its n-th response of that kind. */
  private void endReplicaAt(String method, int answers) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    world.server.gate =
        (name, rest) -> {
          if (name.equals(method) && asked.getAndIncrement() == answers) {
            reached.countDown();
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> startUntilClosed(replica));
    assertThat(reached.await(120, TimeUnit.SECONDS)).isTrue();
    replica.close();
    starting.join();
    held.countDown();
    world.server.gate = (name, rest) -> {};
    assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
  }

  private static void startUntilClosed(SegmentReplicaCopy replica) {
    try {
      replica.start();
    } catch (Exception e) {
      assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
    }
  }

  private List<String> segmentFiles(String node) {
    String[] names =
        world.indexFolder(node).toFile().list((directory, name) -> name.startsWith("_"));
    return names == null ? List.of() : List.of(names);
  }

  @Test
  void whatIsLeftOfACopyThatWasEndedMidFileIsWholeOrNotCalledAFile() throws Exception {
    world.transfers.askForEachFileAlone();
    world.index(0, 2_000);
    world.refresh();
    endReplicaAt("GET files", 2);

    for (SegmentFile file : world.newestManifest().files()) {
      Path path = world.indexFolder("n2").resolve(file.name());
      if (Files.exists(path)) {
        assertThat(CodecFile.identify(path)).isEqualTo(file);
      }
    }
    SegmentReplicaCopy again = world.openReplica();
    assertThat(hits(again)).isEqualTo(2_000);
  }

  @Test
  void aCopyThatIsEndedHoldsNoFilesOfItsSource() throws Exception {
    world.transfers.askForEachFileAlone();
    world.index(0, 100);
    world.refresh();
    endReplicaAt("GET files", 0);
    for (int round = 0; round < 3; round++) {
      world.index(0, 100);
      world.refresh();
    }

    List<String> named = world.newestManifest().files().stream().map(SegmentFile::name).toList();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> assertThat(segmentFiles("n1")).hasSameElementsAs(named));
  }

  @Test
  void aCopyWhoseTargetIsReplacedMeanwhileStartsAtTheNext() throws Exception {
    world.index(0, 50);
    world.refresh();
    world.openReplica().close();
    world.index(50, 80);
    world.refresh();
    AtomicInteger asked = new AtomicInteger();
    world.server.gate =
        (name, rest) -> {
          synchronized (asked) {
            if (asked.getAndIncrement() == 0) {
              world.index(80, 100);
              world.refresh();
            }
          }
        };

    SegmentReplicaCopy again = world.openReplica();

    assertThat(hits(again)).isEqualTo(100);
  }

  @Test
  void aPublisherThatTheClusterStateDoesNotShowYetIsFollowedWhenItDoes() throws Exception {
    world.index(0, 50);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    world.losePrimary();
    world.openPrimaryOn("n9");
    world.index(50, 80);
    long newest = world.refresh();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(
            () -> assertThat(replica.progress().checkpointsBehind()).isGreaterThanOrEqualTo(2));
    assertThat(hits(replica)).isEqualTo(50);

    world.happen(new ClusterEvent.NodeJoined(world.node("n9")));

    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(80);
    assertThat(replica.progress().millisBehind()).isZero();
  }

  @Test
  void aFileThatVanishedBetweenTwoRoundsIsFetchedAgain() throws Exception {
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    Manifest manifest = world.newestManifest();
    Files.delete(world.indexFolder("n2").resolve(manifest.files().getFirst().name()));
    world.index(100, 150);

    awaitVisible(replica, world.refresh());

    assertThat(hits(replica)).isEqualTo(150);
    replica.close();
    assertThat(hits(world.openReplica())).isEqualTo(150);
  }

  @Test
  void aManifestWhoseFilesHaveAllArrivedIsInstalledWithoutASource() throws Exception {
    world.index(0, 100);
    world.refresh();
    world.openReplica().close();
    Path folder = world.indexFolder("n2");
    for (SegmentFile file : world.newestManifest().files()) {
      Files.move(folder.resolve(file.name()), folder.resolve(CopyPlanner.tempName(file)));
    }
    Files.delete(folder.resolve("manifest.json"));
    world.losePrimary();

    assertThat(hits(world.openReplica())).isEqualTo(100);
  }

  @Test
  void aFileOfTheSameNameAndOtherContentIsReplaced() throws Exception {
    world.index(0, 100);
    world.refresh();
    world.index(100, 200);
    world.refresh();
    List<SegmentFile> files =
        world.newestManifest().files().stream()
            .filter(file -> file.name().endsWith(".cfs"))
            .toList();
    assertThat(files).hasSizeGreaterThan(1);
    Path folder = Files.createDirectories(world.indexFolder("n2"));
    Files.copy(
        world.indexFolder("n1").resolve(files.getFirst().name()),
        folder.resolve(files.getLast().name()));

    SegmentReplicaCopy replica = world.openReplica();

    assertThat(hits(replica)).isEqualTo(200);
    for (SegmentFile file : world.newestManifest().files()) {
      assertThat(CodecFile.identify(folder.resolve(file.name()))).isEqualTo(file);
    }
  }
}
