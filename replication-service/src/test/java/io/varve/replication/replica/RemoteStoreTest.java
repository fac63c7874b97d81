package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.engine.SearchView;
import io.varve.events.FollowerLease;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.host.ShardCopy;
import io.varve.host.log.ManifestLog;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.CopyRecovery;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.StoredSource;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A remote-backed shard: real copies, and a store in memory that fails on request. */
@Timeout(300)
class RemoteStoreTest {

  @TempDir private Path data;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data,
            Map.of(
                "index.refresh_interval", "-1",
                "index.remote_store.enabled", "true",
                "index.log.retention", "auto"));
    give(StoreAccess.Retention.DEFAULT);
    world.openPrimary();
  }

  private void give(StoreAccess.Retention retention) {
    world.transfers.give(
        new StoreAccess(
            "s",
            store,
            new StoreAccess.Settings(UploadPlan.Limits.DEFAULT, 0, retention),
            TransferBudget.UNLIMITED,
            new Semaphore(4)));
  }

  @AfterEach
  void close() throws Exception {
    store.faults(InMemorySegmentStore.Faults.NONE);
    world.close();
  }

  private @Nullable StoredManifest stored() throws LogException {
    ManifestLog manifests = world.manifests();
    return manifests.before(manifests.partition().endOffset(), true).stored();
  }

  private Manifest awaitStored() throws LogException {
    Manifest newest = world.newestManifest();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(stored().manifest()).isEqualTo(newest));
    return newest;
  }

  private static long hits(ShardCopy copy) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }

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
