package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.RecordHeader;
import io.varve.shard.primary.PrimaryCopy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The primary is lost at a bad moment; one of its replicas takes over, and the others follow it.
 */
@Timeout(300)
class ReplicaFailoverTest {

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

  @Test
  void allReplicasConvergeWhenThePrimaryIsLostInTheMiddleOfTheirRounds() throws Exception {
    world.index(0, 200);
    long shown = world.refresh();
    List<SegmentReplicaCopy> replicas = new ArrayList<>();
    for (int node = 2; node < 8; node++) {
      SegmentReplicaCopy replica = world.openReplicaOn("n" + node);
      awaitVisible(replica, shown);
      replicas.add(replica);
    }
    CountDownLatch asking = new CountDownLatch(replicas.size());
    CountDownLatch lost = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          asking.countDown();
          assertThat(lost.await(120, TimeUnit.SECONDS)).isTrue();
        };
    world.index(200, 300);
    world.refresh();
    assertThat(asking.await(120, TimeUnit.SECONDS)).isTrue();
    world.index(300, 350);
    world.losePrimary();
    lost.countDown();

    PrimaryCopy promoted = world.promote(replicas.removeFirst());

    assertThat(promoted.term()).isEqualTo(2);
    assertThat(hits(promoted)).isEqualTo(350);
    world.index(350, 400);
    long newest = world.refresh();
    for (SegmentReplicaCopy replica : replicas) {
      awaitVisible(replica, newest);
      assertThat(hits(replica)).isEqualTo(400);
      assertThat(replica.term()).isEqualTo(2);
    }
  }

  @Test
  void aReplicaThatWasShownNothingGoesOnWithAllThatWasAckedThoughStraysLieBetween()
      throws Exception {
    world.openPrimary();
    SegmentReplicaCopy replica = world.openReplica();
    for (int n = 0; n < 20; n++) {
      world.index(10 * n, 10 * n + 10);
      // A late record of the previous term's writer: no reader accepts it, and it takes no seq_no.
      TestClusterLog.append(
          world.operations(), RecordHeader.data(1, 7, new byte[] {1}, new byte[] {'{', '}'}));
    }
    assertThat(hits(replica)).isZero();
    world.losePrimary();

    PrimaryCopy promoted = world.promote(replica);

    assertThat(promoted.recovery().operations()).isEqualTo(200);
    assertThat(hits(promoted)).isEqualTo(200);
    assertThat(world.index(200, 201)).isEqualTo(200);
  }

  @Test
  void aNewPrimaryIsFollowedThoughItsGenerationsBeginAgain() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    for (int round = 0; round < 10; round++) {
      world.index(10 * round, 10 * round + 10);
      awaitVisible(replica, world.refresh());
    }
    Manifest before = world.newestManifest();
    world.index(100, 110);

    world.openPrimary();

    awaitVisible(replica, 109);
    Manifest now = world.newestManifest();
    assertThat(now.term()).isGreaterThan(before.term());
    assertThat(now.generation()).isLessThan(before.generation());
    assertThat(hits(replica)).isEqualTo(110);
  }

  @Test
  void aRestartedReplicaKeepsWhatItShowedWhileItsPrimaryBeginsAnew() throws Exception {
    world.index(0, 300);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    awaitVisible(replica, 299);
    replica.close();
    world.losePrimary();

    SegmentReplicaCopy again = world.openReplica();

    assertThat(again.visible().current()).isEqualTo(299);
    assertThat(hits(again)).isEqualTo(300);
    world.openPrimary();
    assertThat(hits(again)).isEqualTo(300);
    world.index(300, 310);
    awaitVisible(again, world.refresh());
    assertThat(hits(again)).isEqualTo(310);
    assertThat(world.brokenCopies).noneMatch(reason -> reason.startsWith("r"));
  }
}
