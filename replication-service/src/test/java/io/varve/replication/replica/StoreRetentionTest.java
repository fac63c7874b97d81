package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.FollowerLease;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.StoredSource;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks which files and records the garbage collection of the segment store and the truncation of
 * the log leave, and what they remove.
 */
@Timeout(300)
class StoreRetentionTest extends RemoteStoreWorld {
  @Test
  void garbageGoesAndWhatKeptManifestsNameStays() throws Exception {
    give(new StoreAccess.Retention(2, 0, 1));
    world.openPrimary();
    for (int round = 0; round < 20; round++) {
      world.index(0, 50);
      world.refresh();
      awaitStored();
    }
    StoredPoints points = new StoredPoints(store);

    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> assertThat(points.keys(ReplicaWorld.SHARD)).hasSize(2));
    for (SegmentStore.Key key : points.keys(ReplicaWorld.SHARD)) {
      StoredManifest kept = points.read(key).stored();
      StoredSource source = new StoredSource(store, kept);
      for (SegmentFile file : kept.manifest().files()) {
        try (InputStream in = source.open(file, 0, file.lengthBytes())) {
          assertThat(in.readAllBytes()).hasSize((int) file.lengthBytes());
        }
      }
    }
  }

  @Test
  void operationsGoOnceTheyAreStoredAndCommittedAndNothingIsLost() throws Exception {
    give(new StoreAccess.Retention(2, 0, 1));
    PrimaryCopy primary = world.openPrimary();
    world.routePrimary();
    for (int round = 0; round < 6; round++) {
      world.index(1_000 * round, 1_000 * round + 1_000);
      primary.flush();
      world.refresh();
      awaitStored();
    }

    awaitOperationsBeginAt(4_000);
    assertThat(world.operations().startOffset())
        .isLessThanOrEqualTo(stored().manifest().nextOffset());
    world.losePrimary();
    assertThat(hits(world.openPrimary())).isEqualTo(6_000);
  }

  @Test
  void operationsStayForAClusterThatFollowsUntilItFollowsNoMore() throws Exception {
    give(new StoreAccess.Retention(2, 0, 1));
    PrimaryCopy primary = world.openPrimary();
    world.routePrimary();
    PartitionLog manifests = world.manifests().partition();
    Appends.await(manifests, new FollowerLease(ReplicaWorld.SHARD, "c-i", 1_500).record());
    for (int round = 0; round < 6; round++) {
      world.index(1_000 * round, 1_000 * round + 1_000);
      primary.flush();
      world.refresh();
      awaitStored();
    }
    awaitOperationsBeginAt(1);
    assertThat(world.operations().startOffset()).isLessThanOrEqualTo(1_500);

    Appends.await(manifests, FollowerLease.released(ReplicaWorld.SHARD, "c-i"));

    awaitOperationsBeginAt(4_000);
  }

  /** Truncates the log until its first offset is that or a later one. */
  private void awaitOperationsBeginAt(long offset) {
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> {
          world.writer().truncateLog();
          assertThat(world.operations().startOffset()).isGreaterThanOrEqualTo(offset);
        });
  }

  @Test
  void aLaterTermsClaimEndsTheBuildingOfAnEarlierOne() throws Exception {
    world.index(0, 100);
    world.refresh();
    Manifest first = awaitStored();
    StoredManifest claimed = world.manifests().claim(ReplicaWorld.SHARD, 9).stored();
    world.index(100, 200);
    world.refresh();

    assertThat(claimed.manifest()).isEqualTo(first);
    assertThat(stored().term()).isEqualTo(9);
    assertThat(stored().manifest()).isEqualTo(first);
    assertThatThrownBy(() -> world.manifests().claim(ReplicaWorld.SHARD, 8))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessageContaining("term 9");
  }

  @Test
  void uploadsGoOnAfterAGarbageRunThatFailed() throws Exception {
    give(new StoreAccess.Retention(2, 0, 1));
    AtomicInteger failures = new AtomicInteger();
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) {
            if (operation.equals("list") && failures.incrementAndGet() <= 2) {
              throw new IllegalArgumentException("not a part of an object's key: [.nfs0000]");
            }
          }
        });
    world.openPrimary();
    world.index(0, 10);
    world.refresh();
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> failures.get() > 0);

    world.index(10, 20);
    world.refresh();

    assertThat(awaitStored().visibleSeqNo()).isEqualTo(19);
  }
}
