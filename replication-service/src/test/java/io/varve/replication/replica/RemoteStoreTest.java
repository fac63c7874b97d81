package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.rpc.CopyRecovery;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import io.varve.store.StoredSource;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A remote-backed shard: real copies, and a store in memory that fails on request. */
@Timeout(300)
class RemoteStoreTest extends RemoteStoreWorld {
  private void storeFails(AtomicBoolean failing) {
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) throws IOException {
            if (failing.get()) {
              throw new IOException("503 Slow Down");
            }
          }
        });
  }

  @Test
  void whatIsPublishedIsInTheStoreByteForByte() throws Exception {
    for (int round = 0; round < 5; round++) {
      world.index(100 * round, 100 * round + 100);
      world.refresh();
    }
    Manifest manifest = awaitStored();

    StoredSource source = new StoredSource(store, stored());
    for (SegmentFile file : manifest.files()) {
      try (InputStream in = source.open(file, 0, file.lengthBytes())) {
        assertThat(world.indexFolder("n1").resolve(file.name()))
            .hasBinaryContent(in.readAllBytes());
      }
    }
  }

  @Test
  void aPrimaryWithoutItsDiskBeginsFromTheStoreWhenTheLogNoLongerReachesBack() throws Exception {
    world.index(0, 300);
    world.refresh();
    Manifest manifest = awaitStored();
    world.index(300, 350);
    world.losePrimary();
    world.operations().truncateBefore(manifest.nextOffset());

    ShardCopy again = world.openPrimary();

    assertThat(hits(again)).isEqualTo(350);
    assertThat(again.recovery().type()).isEqualTo("REMOTE_STORE");
    assertThat(again.recovery().operations()).isEqualTo(50);
    assertThat(world.index(350, 351)).isEqualTo(350);
  }

  @Test
  void aPrimaryThatReplaysSoonerLeavesTheStoreAlone() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();
    world.losePrimary();

    CopyRecovery recovery = world.openPrimary().recovery();

    assertThat(recovery.type()).isEqualTo("EMPTY_STORE");
    assertThat(recovery.operations()).isEqualTo(300);
  }

  @Test
  void aReplicaIsBuiltFromTheStoreWhileThereIsNoPrimary() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();
    world.losePrimary();

    SegmentReplicaCopy replica = world.openReplica();

    assertThat(hits(replica)).isEqualTo(300);
    assertThat(world.server.filesAsked).isEmpty();
  }

  @Test
  void aReplicaShowsTheNewestStoredWhenThePublisherIsGoneWithSomethingNewer() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();
    AtomicBoolean failing = new AtomicBoolean(true);
    storeFails(failing);
    world.index(300, 400);
    world.refresh();
    world.losePrimary();
    failing.set(false);

    assertThat(hits(world.openReplica())).isEqualTo(300);
  }

  @Test
  void aNewReplicaSparesThePublisher() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();

    SegmentReplicaCopy replica = world.openReplica();

    assertThat(hits(replica)).isEqualTo(300);
    assertThat(world.server.filesAsked).isEmpty();
    world.index(300, 400);
    long visible = world.refresh();
    assertThat(replica.visible().await(visible, ReplicaWorld.SOON)).isTrue();
    assertThat(world.server.filesAsked).isNotEmpty();
  }

  @Test
  void aStoreThatLiesIsLeftOutOfTheNextAttempt() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public byte lie(SegmentStore.Key key, long position, byte truth) {
            return key.kind() == SegmentStore.Kind.SEGMENTS ? (byte) ~truth : truth;
          }
        });

    assertThat(hits(world.openReplica())).isEqualTo(300);
    assertThat(world.server.filesAsked).isNotEmpty();
  }

  @Test
  void aStoreThatIsDownHoldsUpNoRefreshAndIsCaughtUpWith() throws Exception {
    awaitStored();
    AtomicBoolean failing = new AtomicBoolean(true);
    storeFails(failing);
    for (int round = 0; round < 5; round++) {
      long last = world.index(100 * round, 100 * round + 100);
      assertThat(world.refresh()).isEqualTo(last);
    }
    assertThat(stored().manifest().visibleSeqNo()).isEqualTo(-1);

    failing.set(false);

    Manifest manifest = awaitStored();
    assertThat(manifest.visibleSeqNo()).isEqualTo(499);
  }

  @Test
  void writesAreRefusedWhileUploadsFailAgainAndAgainAndTakenWhenTheyDoNot() throws Exception {
    awaitStored();
    world.happen(
        new ClusterEvent.ClusterSettingsChanged(
            Map.of(ClusterSettings.STORE_PRESSURE_FAILURES, "1"), Map.of()));
    AtomicBoolean failing = new AtomicBoolean(true);
    storeFails(failing);
    world.index(0, 1);
    world.refresh();

    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() ->
            assertThatThrownBy(() -> world.index(1, 2))
                .hasMessageContaining("failure_streak_count:")
                .hasMessageContaining("status=429"));
    assertThat(world.primary.stats().kept().uploads().lag().rejections()).isPositive();

    failing.set(false);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(() -> world.index(2, 3) > 0);
  }

  @Test
  void aReplicaThatFindsItsFilesNowhereWaitsBeforeItTriesAgain() throws Exception {
    world.index(0, 300);
    world.refresh();
    awaitStored();
    AtomicBoolean failing = new AtomicBoolean(true);
    storeFails(failing);
    world.index(300, 400);
    world.refresh();
    world.losePrimary();
    AtomicInteger opened = new AtomicInteger();
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) throws IOException {
            if (operation.equals("open")) {
              opened.incrementAndGet();
              throw new SourceGoneException("no object " + key.path());
            }
          }
        });
    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> startInVain(replica));
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> opened.get() > 0);

    Awaitility.await("few tries")
        .atMost(ReplicaWorld.SOON)
        .during(Duration.ofSeconds(1))
        .until(() -> opened.get() < 50);

    replica.close();
    starting.join();
  }

  private static void startInVain(SegmentReplicaCopy replica) {
    try {
      replica.start();
    } catch (Exception e) {
      assertThat(e).as("it was closed before it had found anything").isNotNull();
    }
  }

  @Test
  void aPrimaryStartsFromTheLogWhenTheStoreIsNearerButDown() throws Exception {
    world.index(0, 20_100);
    world.refresh();
    awaitStored();
    world.losePrimary();
    storeFails(new AtomicBoolean(true));

    ShardCopy again = world.openPrimary();

    assertThat(hits(again)).isEqualTo(20_100);
  }
}
