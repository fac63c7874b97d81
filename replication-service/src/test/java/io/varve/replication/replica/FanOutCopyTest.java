package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.ShardCopy;
import io.varve.host.SnapshotSource;
import io.varve.rpc.ApiException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several replicas of one shard, with real engines and servers: which copy sends which bytes to
 * which other copy.
 */
@Timeout(300)
class FanOutCopyTest {

  @TempDir private Path data;
  private ReplicaWorld world;
  private final List<SegmentReplicaCopy> replicas = new ArrayList<>();

  private void open(int count) throws Exception {
    open(count, _ -> {});
  }

  private void open(int count, Consumer<ReplicaWorld> before) throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), count);
    before.accept(world);
    world.openPrimary();
    for (int number = 1; number <= count; number++) {
      SegmentReplicaCopy replica = world.newReplica(number);
      replicas.add(replica);
      replica.start();
    }
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void thePrimarySendsEachByteAtMostTwice(int count) throws Exception {
    open(count, before -> before.transfers.waitForPeers());
    Map<SegmentFile, Long> published = new HashMap<>();
    for (int round = 0; round < 12; round++) {
      world.index(100 * round, 100 * round + 150);
      awaitVisible(world.refresh());
      world.newestManifest().files().forEach(file -> published.put(file, file.lengthBytes()));
    }

    long all = published.values().stream().mapToLong(Long::longValue).sum();
    assertThat(sentOf(world.primary, all * Math.min(2, count)))
        .as("bytes sent by the primary of %d published, %d replicas", all, count)
        .isEqualTo(all * Math.min(2, count));
    for (SegmentReplicaCopy replica : replicas) {
      assertThat(sent(replica.snapshots().orElseThrow())).isLessThanOrEqualTo(2 * all);
      assertThat(replica.progress().bytesFetched()).isEqualTo(all);
    }
    assertThat(replicas.stream().mapToLong(FanOutCopyTest::fromReplicas).sum())
        .isEqualTo(all * Math.max(0, count - 2));
  }

  @Test
  void newReplicasAreBuiltFromThoseBeforeThem() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 5);
    world.transfers.waitForPeers();
    world.openPrimary();
    world.index(0, 3_000);
    world.refresh();
    long all = world.newestManifest().totalBytes();
    List<Thread> starting = new ArrayList<>();
    for (int number = 5; number >= 1; number--) {
      SegmentReplicaCopy replica = world.newReplica(number);
      replicas.add(replica);
      starting.add(Thread.ofVirtual().start(() -> start(replica)));
    }
    for (Thread thread : starting) {
      thread.join();
    }

    awaitVisible(2_999);
    assertThat(sentOf(world.primary, 2 * all)).isEqualTo(2 * all);
  }

  @Test
  void aNewReplicaWaitsUntilTheOneBeforeItHasOpenedItsFolder() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 3);
    world.transfers.waitForPeers();
    world.openPrimary();
    long newest = world.index(0, 3_000);
    world.refresh();
    SegmentReplicaCopy first = world.newReplica(1);
    SegmentReplicaCopy third = world.newReplica(3);
    replicas.addAll(List.of(first, third));
    Thread starting = Thread.ofVirtual().start(() -> start(third));
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() -> world.server.awaited.contains(ReplicaServer.NODES.get(1)));

    start(first);
    starting.join();

    awaitVisible(newest);
    long all = world.newestManifest().totalBytes();
    assertThat(fromReplicas(third)).isEqualTo(all);
    assertThat(sentOf(world.primary, all)).isEqualTo(all);
  }

  @Test
  void asksThePublisherWhenTheReplicaBeforeItIsGone() throws Exception {
    open(3);
    world.server.gates.put(
        "n2",
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        });
    world.index(0, 100);

    awaitVisible(world.refresh());

    assertThat(fromReplicas(replicas.get(2))).isZero();
  }

  @Test
  void doesNotWaitForOneThatIsStillBeingBuilt() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 3);
    world.transfers.waitForPeers();
    world.happen(new ClusterEvent.ReplicaAssigned(ReplicaWorld.SHARD, "r1", "built", "n2"));
    world.awaitRouting(routing -> routing.copy("built").isPresent());
    world.openPrimary();
    SegmentReplicaCopy after = world.newReplica(3);
    replicas.add(after);
    after.start();
    world.index(0, 100);

    awaitVisible(world.refresh());

    assertThat(fromReplicas(after)).isZero();
  }

  @Test
  void asksThePublisherInTimeWhenTheReplicaBeforeItHangs() throws Exception {
    open(3);
    CountDownLatch held = new CountDownLatch(1);
    world.server.gates.put(
        "n2", (method, rest) -> assertThat(held.await(120, TimeUnit.SECONDS)).isTrue());
    world.index(0, 100);

    awaitVisible(world.refresh());

    assertThat(held.getCount()).as("still held").isEqualTo(1);
    held.countDown();
  }

  @Test
  void filesStayAtAReplicaWhileAnotherReadsThem() throws Exception {
    open(1);
    world.index(0, 100);
    awaitVisible(world.refresh());
    SnapshotSource source = replicas.getFirst().snapshots().orElseThrow();
    SnapshotId before = SnapshotId.of(world.newestManifest());
    assertThat(source.lease(before, "other", 0)).isInstanceOf(SnapshotSource.Lease.Held.class);
    String name = world.newestManifest().files().getFirst().name();
    for (int round = 0; round < 3; round++) {
      world.index(0, 100);
      awaitVisible(world.refresh());
    }

    assertThat(source.file(before, name).path()).exists();
    source.release(before, "other");
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> assertThat(world.indexFolder("n2").resolve(name)).doesNotExist());
  }

  private void awaitVisible(long seqNo) throws InterruptedException {
    for (SegmentReplicaCopy replica : replicas) {
      assertThat(replica.visible().await(seqNo, ReplicaWorld.SOON))
          .as("seq_no %d visible, progress %s", seqNo, replica.progress())
          .isTrue();
    }
  }

  private static void start(SegmentReplicaCopy replica) {
    try {
      replica.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until the copy has sent at least that many bytes, and returns the number: a response is
   * counted after its last byte.
   */
  private static long sentOf(ShardCopy copy, long least) {
    SnapshotSource source = copy.snapshots().orElseThrow();
    Awaitility.await().atMost(ReplicaWorld.SOON).until(() -> sent(source) >= least);
    return sent(source);
  }

  private static long sent(SnapshotSource source) {
    return source.sent().bytes().sum();
  }

  private static long fromReplicas(SegmentReplicaCopy replica) {
    return replica.stats().kept().copied().fromReplicaBytes();
  }
}
