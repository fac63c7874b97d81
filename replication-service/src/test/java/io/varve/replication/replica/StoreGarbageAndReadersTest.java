package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.ShardId;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects are deleted from the store while they are read, without a grace period. */
@Timeout(300)
class StoreGarbageAndReadersTest {

  private static final ShardId SHARD = ReplicaWorld.SHARD;

  @TempDir private Path data;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data, Map.of("index.refresh_interval", "-1", "index.remote_store.enabled", "true"));
    world.transfers.give(
        new StoreAccess(
            "s",
            store,
            new StoreAccess.Settings(
                UploadPlan.Limits.DEFAULT, 0, new StoreAccess.Retention(1, 0, 1)),
            TransferBudget.UNLIMITED,
            new Semaphore(4)));
    world.openPrimary();
  }

  @AfterEach
  void close() throws Exception {
    store.faults(InMemorySegmentStore.Faults.NONE);
    world.close();
  }

  private void awaitStoredUpTo(long seqNo) {
    StoredPoints points = new StoredPoints(store);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> {
          assertThat(points.keys(SHARD)).hasSize(1);
          assertThat(points.read(points.keys(SHARD).getFirst()).stored().manifest().visibleSeqNo())
              .isEqualTo(seqNo);
        });
  }

  @Test
  void aSlowReaderWhoseObjectsAreGoneGoesOnWithTheNewest() throws Exception {
    world.index(0, 300);
    awaitStoredUpTo(world.refresh());
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch collected = new CountDownLatch(1);
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) throws IOException {
            if (operation.equals("open")
                && key.kind() == SegmentStore.Kind.SEGMENTS
                && collected.getCount() > 0) {
              reading.countDown();
              awaitQuietly(collected);
            }
          }
        });
    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> startQuietly(replica));
    assertThat(reading.await(120, TimeUnit.SECONDS)).isTrue();
    long newest = 0;
    for (int round = 0; round < 5; round++) {
      world.index(0, 300);
      newest = world.refresh();
      awaitStoredUpTo(newest);
    }
    collected.countDown();

    starting.join();

    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(300);
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void startQuietly(SegmentReplicaCopy replica) {
    try {
      replica.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
