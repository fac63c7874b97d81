package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.engine.SearchView;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Merged segments that replicas receive before a manifest names them. */
@Timeout(300)
class MergesAheadTest {

  private static final ForceMergeRequest TO_ONE = new ForceMergeRequest(1, false, false);

  @TempDir private Path data;
  private ReplicaWorld world;
  private final List<SegmentReplicaCopy> replicas = new ArrayList<>();

  private void open(int routed, int opened) throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), routed);
    settings(Map.of());
    world.openPrimary();
    for (int number = 1; number <= opened; number++) {
      SegmentReplicaCopy replica = world.newReplica(number);
      replicas.add(replica);
      replica.start();
    }
  }

  private void settings(Map<String, String> more) throws Exception {
    Map<String, String> all = new TreeMap<>(Map.of(ClusterSettings.MERGES_AHEAD_MIN_SIZE, "0"));
    all.putAll(more);
    world.clusterSettings(all);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private void fill(int segments) throws Exception {
    for (int segment = 0; segment < segments; segment++) {
      world.index(100 * segment, 100 * segment + 100);
      awaitVisible(world.refresh());
    }
  }

  @Test
  void theRoundAfterAMergeFetchesNothing() throws Exception {
    open(3, 3);
    fill(4);
    Map<SegmentReplicaCopy, Long> fetched = new HashMap<>();
    replicas.forEach(replica -> fetched.put(replica, replica.progress().filesFetched()));

    world.primary.forceMerge(TO_ONE);

    Manifest merged = world.newestManifest();
    awaitShown(merged);
    for (SegmentReplicaCopy replica : replicas) {
      assertThat(replica.progress().filesFetched()).isEqualTo(fetched.get(replica));
      assertThat(replica.progress().bytesFetched()).isPositive();
      assertThat(hits(replica)).isEqualTo(400);
    }
    assertThat(world.primary.snapshots().orElseThrow().sent().bytes().sum())
        .as("it went from replica to replica too")
        .isLessThanOrEqualTo(2 * (merged.totalBytes() + allBytesBefore(fetched)));
  }

  /** The bytes that each replica had fetched before, which are the same for all. */
  private long allBytesBefore(Map<SegmentReplicaCopy, Long> fetched) {
    return fetched.keySet().iterator().next().progress().bytesFetched();
  }

  @Test
  void whatWentAheadIsCountedByWhoSentAndWhoReceivedIt() throws Exception {
    open(3, 3);
    fill(4);
    assertThat(ahead(world.writer())).isEqualTo(CopyStats.Ahead.NONE);

    world.primary.forceMerge(TO_ONE);

    long merged = world.newestManifest().totalBytes();
    awaitShown(world.newestManifest());
    // A response is counted after its last byte.
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() -> ahead(world.writer()).sent().bytes() + sentByReplicas() >= 3 * merged);
    CopyStats.Ahead primary = ahead(world.writer());
    assertThat(primary.sends().total()).isEqualTo(1);
    assertThat(primary.sends().current()).isZero();
    assertThat(primary.failed()).isZero();
    assertThat(primary.received()).isEqualTo(CopyStats.Moved.NONE);
    for (SegmentReplicaCopy replica : replicas) {
      CopyStats.Ahead figures = ahead(replica);
      assertThat(figures.received().bytes()).isEqualTo(merged);
      assertThat(figures.sends()).isEqualTo(CopyStats.Phase.NONE);
    }
    assertThat(primary.sent().bytes()).isBetween(merged, 2 * merged);
    assertThat(primary.sent().bytes() + sentByReplicas()).isEqualTo(3 * merged);
  }

  private long sentByReplicas() {
    return replicas.stream().mapToLong(replica -> ahead(replica).sent().bytes()).sum();
  }

  private static CopyStats.Ahead ahead(ShardCopy copy) {
    return copy.stats().activity().merges().ahead();
  }

  @Test
  void withoutReplicasAMergeCompletesAtOnce() throws Exception {
    open(0, 0);
    for (int round = 0; round < 3; round++) {
      world.index(100 * round, 100 * round + 100);
      world.refresh();
    }
    world.primary.forceMerge(TO_ONE);
    assertThat(segments(world.newestManifest())).isEqualTo(1);
  }

  @Test
  void replicasThatAreAwayOrFailHoldUpNoMerge() throws Exception {
    open(2, 1);
    fill(3);
    world.server.gates.put(
        "n2",
        (method, rest) -> {
          if (method.equals("POST merged")) {
            throw new ApiException(503, "unavailable", "away");
          }
        });

    // The limits of a merge exceed that of the test.
    world.primary.forceMerge(TO_ONE);

    awaitShown(world.newestManifest());
    assertThat(hits(replicas.getFirst())).isEqualTo(300);
    assertThat(ahead(world.writer()).failed()).as("one that not every copy had").isEqualTo(1);
  }

  @Test
  void aReplicaThatHangsHoldsUpAMergeForTheTimeoutAtMost() throws Exception {
    open(1, 1);
    settings(Map.of(ClusterSettings.MERGES_AHEAD_TIMEOUT, "500ms"));
    fill(3);
    CountDownLatch held = new CountDownLatch(1);
    AtomicBoolean answered = new AtomicBoolean();
    world.server.gates.put(
        "n2",
        (method, rest) -> {
          boolean released = held.await(120, TimeUnit.SECONDS);
          answered.set(true);
          assertThat(released).isTrue();
        });
    long began = System.nanoTime();

    world.primary.forceMerge(TO_ONE);

    assertThat(answered).as("the merge waited for the replica").isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(400));
    awaitShown(world.newestManifest());
    assertThat(world.brokenCopies).isEmpty();
    held.countDown();
  }

  @Test
  void whatIsIndexedMeanwhileIsShownMeanwhile() throws Exception {
    open(1, 1);
    fill(3);
    CountDownLatch held = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET files")) {
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    Thread merging = Thread.ofVirtual().start(() -> world.primary.forceMerge(TO_ONE));
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> underWay(replicas.getFirst()) == 1);

    world.index(300, 350);
    awaitVisible(world.refresh());

    assertThat(hits(replicas.getFirst())).isEqualTo(350);
    held.countDown();
    merging.join();
    awaitShown(world.newestManifest());
    assertThat(hits(replicas.getFirst())).isEqualTo(350);
  }

  @Test
  void moreThanTwoAreOnTheirWayAtOnce() throws Exception {
    open(1, 1);
    fill(1);
    SegmentReplicaCopy replica = replicas.getFirst();
    CountDownLatch held = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET files")) {
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    SegmentFile real = world.newestManifest().files().getFirst();
    for (int number = 1; number <= 4; number++) {
      SegmentFile other =
          new SegmentFile(
              "_z" + number + ".cfs", real.lengthBytes(), real.checksum(), real.headerId());
      MergedSegment.Answer answer = replica.merged(announced(1, number, List.of(other)), 0);
      assertThat(answer.state()).isEqualTo(MergedSegment.State.UNDER_WAY);
    }
    assertThat(underWay(replica)).isEqualTo(4);
    held.countDown();
  }

  @Test
  void leftoversThatNoManifestNamesAreDeleted() throws Exception {
    open(1, 1);
    fill(1);
    SegmentReplicaCopy replica = replicas.getFirst();
    Path folder = world.indexFolder("n2");
    SegmentFile real = world.newestManifest().files().getFirst();
    CountDownLatch held = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET files")) {
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    SegmentFile other =
        new SegmentFile("_zz.cfs", real.lengthBytes(), real.checksum(), real.headerId());
    var _ = replica.merged(announced(1, 7, List.of(other)), 0);

    replica.mergeIsOver(new SnapshotId(1, 7));
    held.countDown();

    assertThat(underWay(replica)).isZero();
    assertThat(folder.toFile().list((_, name) -> name.startsWith("_zz") || name.contains(".tmp")))
        .isEmpty();
  }

  @Test
  void aMergeOfAPastTermIsRefused() throws Exception {
    open(1, 1);
    fill(1);
    world.openPrimary();
    awaitShown(world.newestManifest());

    MergedSegment.Answer answer =
        replicas.getFirst().merged(announced(1, 1, world.newestManifest().files()), 0);

    assertThat(answer.state()).isEqualTo(MergedSegment.State.REFUSED);
  }

  @Test
  void aSegmentThatIsAnnouncedAfterItsManifestIsShownIsLeftAlone() throws Exception {
    open(1, 1);
    fill(1);
    SegmentReplicaCopy replica = replicas.getFirst();
    List<SegmentFile> shown = world.newestManifest().files();

    MergedSegment.Answer answer = replica.merged(announced(1, 7, shown), 0);
    replica.mergeIsOver(new SnapshotId(1, 7));

    assertThat(answer.state()).isEqualTo(MergedSegment.State.REFUSED);
    assertThat(shown)
        .allSatisfy(file -> assertThat(world.indexFolder("n2").resolve(file.name())).exists());
  }

  @Test
  void aSegmentThatIsAnnouncedWhileItsManifestIsFetchedIsLeftToTheRound() throws Exception {
    open(1, 1);
    SegmentReplicaCopy replica = replicas.getFirst();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET bundle")) {
            reached.countDown();
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    world.index(0, 100);
    long newest = world.refresh();
    assertThat(reached.await(60, TimeUnit.SECONDS)).isTrue();

    MergedSegment.Answer answer =
        replica.merged(announced(1, 7, world.newestManifest().files()), 0);
    held.countDown();

    assertThat(answer.state()).isEqualTo(MergedSegment.State.REFUSED);
    awaitVisible(newest);
  }

  private MergedSegment announced(long term, long number, List<SegmentFile> files) {
    return new MergedSegment(
        ReplicaWorld.SHARD, new SnapshotId(term, number), world.server.url(), files);
  }

  private int underWay(SegmentReplicaCopy replica) {
    return replica.mergesUnderWay();
  }

  private void awaitVisible(long seqNo) throws InterruptedException {
    for (SegmentReplicaCopy replica : replicas) {
      assertThat(replica.visible().await(seqNo, ReplicaWorld.SOON))
          .as("seq_no %d visible, progress %s", seqNo, replica.progress())
          .isTrue();
    }
  }

  private void awaitShown(Manifest manifest) {
    for (SegmentReplicaCopy replica : replicas) {
      Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> shows(replica.progress(), manifest));
    }
  }

  private static boolean shows(CopyProgress progress, Manifest manifest) {
    return progress.term() == manifest.term() && progress.generation() >= manifest.generation();
  }

  private static long segments(Manifest manifest) {
    return manifest.files().stream()
        .map(file -> file.name().split("[._]", -1)[1])
        .distinct()
        .count();
  }

  private static int hits(SegmentReplicaCopy copy) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }
}
