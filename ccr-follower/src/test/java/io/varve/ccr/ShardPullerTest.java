package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.events.FollowerLease;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which operations a puller sends, and how it continues after each kind of refusal. */
@Timeout(180)
class ShardPullerTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "leader", "n1", 1);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int OPERATIONS = 6_000;
  private static final int MOST_IN_A_REQUEST = 5_120;
  private static final ShardId LEADER = new ShardId("leader", 0);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, () -> 0);
  private final PartitionLog leader = log.open("operations", 0);
  private final PartitionLog manifests = log.open("manifests", 0);
  private final Holder follower = new Holder();
  private final List<Long> mappingVersions = new CopyOnWriteArrayList<>();
  private FollowRelation follow = FOLLOW;
  private volatile boolean mappingIsLate;

  /** A fake primary that stores the operations it receives; the test sets its responses. */
  private static final class Holder implements ShardPuller.Follower {
    final List<Integer> sizes = new CopyOnWriteArrayList<>();
    final List<Operation> held = new CopyOnWriteArrayList<>();
    final List<FollowerPrimary.Outcome> refusals = new CopyOnWriteArrayList<>();
    volatile boolean away;
    volatile int cursors;

    @Override
    public synchronized Optional<ReplicateWire.Cursor> cursor() {
      cursors++;
      if (away) {
        return Optional.empty();
      }
      // The leader's fence is at offset 0, so operation n is at n + 1.
      long next = held.size();
      Long digest = held.isEmpty() ? null : held.getLast().origin().digest();
      return Optional.of(new ReplicateWire.Cursor(next, 1, next, next - 1, next - 1, 0, digest));
    }

    @Override
    public synchronized FollowerPrimary.Outcome replicate(long to, List<Operation> operations) {
      if (!refusals.isEmpty()) {
        return refusals.removeFirst();
      }
      sizes.add(operations.size());
      held.addAll(operations);
      long last = held.getLast().seqNo();
      return new FollowerPrimary.Outcome.Held(
          new ReplicateWire.Answer(last + 1, 1, last, operations.size()));
    }

    List<Long> seqNos() {
      return held.stream().map(Operation::seqNo).toList();
    }
  }

  @BeforeEach
  void fillLeader() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    for (int seqNo = 0; seqNo < OPERATIONS; seqNo++) {
      append(OperationCodec.encode(new Operation(1, seqNo, 1, 3, "d" + seqNo, null, source, null)));
    }
  }

  private void append(RawRecord record) throws Exception {
    Appends.await(leader, record);
  }

  @AfterEach
  void close() {
    log.close();
    threads.shutdownNow();
  }

  private ShardPuller puller() {
    return new ShardPuller(
        new ShardId("follower", 0),
        follow,
        follower,
        () ->
            new ShardPuller.Leader(
                () -> {},
                leader,
                new LeaseKeeper(manifests, LEADER, "holder"),
                new ReadAhead(16 << 20)),
        this::mapping,
        InstantSource.system());
  }

  private void mapping(long version) throws IOException {
    if (mappingIsLate) {
      throw new IOException("the mapping is late");
    }
    mappingVersions.add(version);
  }

  private static PullerStats awaitState(ShardPuller puller, PullProgress.State state) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(puller.stats().state()).isEqualTo(state.name()));
    return puller.stats();
  }

  private void awaitAll() {
    await().atMost(SOON).until(() -> follower.held.size() >= OPERATIONS);
    assertThat(follower.seqNos()).isEqualTo(LongStream.range(0, OPERATIONS).boxed().toList());
  }

  @Test
  void everyOperationIsCarriedOverOnceWithWhereItComesFrom() throws Exception {
    try (ShardPuller puller = puller()) {
      awaitAll();

      assertThat(follower.sizes).allMatch(size -> size <= MOST_IN_A_REQUEST);
      StoredRecord[] leaders = {null};
      leader.read(42, 43, stored -> leaders[0] = stored);
      assertThat(follower.held.get(41).origin())
          .isEqualTo(new Operation.Origin(42, 1, RecordDigest.of(leaders[0])));
      assertThat(mappingVersions).isNotEmpty().containsOnly(3L);
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> assertThat(puller.stats().operationsWritten()).isEqualTo(OPERATIONS));
    }
  }

  @Test
  void smallLimitsOfAShardAreKeptAndStillAllArrives() {
    follow =
        FOLLOW
            .asPaused()
            .resumed(
                new FollowParameters(1_000, 1 << 10, 1, 64, 64 << 10, 1, 500, 1 << 10, 10, 1_000));

    try (var _ = puller()) {
      awaitAll();

      assertThat(follower.sizes).allMatch(size -> size <= 64);
    }
  }

  @ParameterizedTest
  @CsvSource({"500, 50 100 200 400 500 500", "120, 50 100 120 120", "20, 20 20"})
  void pausesBetweenAttemptsDoubleUpToTheLongestRetryDelay(long longestMillis, String pauses) {
    FollowParameters limits = new FollowParameters(1, 1, 1, 1, 1, 1, 1, 1, longestMillis, 1_000);
    long last = 0;
    for (String pause : pauses.split(" ")) {
      last = ShardPuller.nextBackOffMillis(last, limits);
      assertThat(last).isEqualTo(Long.parseLong(pause));
    }
  }

  @Test
  void whatIsRefusedForNowIsAskedForAgainFromTheCursorOn() {
    follower.refusals.add(new FollowerPrimary.Outcome.TryAgain("busy"));
    follower.refusals.add(new FollowerPrimary.Outcome.TryAgain("away"));

    try (ShardPuller puller = puller()) {
      awaitAll();

      assertThat(follower.cursors).isGreaterThanOrEqualTo(3);
      assertThat(puller.stats().failedWriteRequests()).isEqualTo(2);
    }
  }

  @Test
  void whatIsRefusedForGoodIsSaidAndTriedAgainLater() {
    for (int i = 0; i < 5; i++) {
      follower.refusals.add(new FollowerPrimary.Outcome.Refused("400 mapper_parsing_exception"));
    }

    try (ShardPuller puller = puller()) {
      assertThat(awaitState(puller, PullProgress.State.REFUSED).lastError())
          .isEqualTo("400 mapper_parsing_exception");
      awaitAll();
    }
  }

  @Test
  void aPrimaryThatIsNotStartedIsWaitedFor() {
    follower.away = true;

    try (ShardPuller puller = puller()) {
      await().atMost(SOON).until(() -> !puller.stats().lastError().isEmpty());
      assertThat(puller.stats().state()).isEqualTo(PullProgress.State.WAITING.name());
      assertThat(puller.stats().lastError()).contains("primary is not started");

      follower.away = false;
      awaitAll();
    }
  }

  @Test
  void noOperationIsSentBeforeItsMappingIsHere() {
    mappingIsLate = true;

    try (ShardPuller puller = puller()) {
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(puller.stats().lastError()).contains("is late"));
      assertThat(follower.held).isEmpty();

      mappingIsLate = false;
      awaitAll();
    }
  }

  @Test
  void aRecordWithoutAReadableHeaderIsRefusedUntilAnOperatorSkipsIt() throws Exception {
    byte[] key = ("d" + OPERATIONS).getBytes(StandardCharsets.UTF_8);
    append(new RawRecord(key, new byte[0], new byte[] {(byte) 0xF1}));
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    append(OperationCodec.encode(new Operation(1, OPERATIONS + 1, 1, 3, "x", null, source, null)));
    long offset = OPERATIONS + 1;
    try (ShardPuller puller = puller()) {
      PullerStats stats = awaitState(puller, PullProgress.State.REFUSED);
      assertThat(stats.refused()).isEqualTo(new PullerStats.Refused(offset, OPERATIONS));
      assertThat(stats.lastError()).contains("offset " + offset, "can't be read");
      assertThat(follower.held).hasSize(OPERATIONS);
    }

    FollowStatus.SkippedOperations skipped =
        new FollowStatus.SkippedOperations(offset, OPERATIONS, 1);
    follow = FOLLOW.withStatus(new FollowStatus(0, List.of(), Map.of(0, skipped), null));
    try (ShardPuller puller = puller()) {
      await().atMost(SOON).until(() -> follower.held.size() == OPERATIONS + 2);
      awaitState(puller, PullProgress.State.PULLING);
    }

    Operation delete = follower.held.get(OPERATIONS);
    assertThat(delete.id()).isEqualTo("d" + OPERATIONS);
    assertThat(delete.isDelete()).isTrue();
    assertThat(delete.seqNo()).isEqualTo(OPERATIONS);
    assertThat(follower.held.getLast().id()).isEqualTo("x");
  }

  @Test
  void theLeaderKeepsWhatIsNotHeldYetBeforeAnythingIsRead() throws Exception {
    follower.refusals.add(new FollowerPrimary.Outcome.TryAgain("busy"));

    try (ShardPuller puller = puller()) {
      awaitAll();
      puller.close();
      puller.release();
    }

    List<RawRecord> leases = new ArrayList<>();
    manifests.read(0, manifests.endOffset(), stored -> leases.add(stored.record()));
    assertThat(leases.getFirst())
        .as("from the last record held on, which is compared")
        .usingRecursiveComparison()
        .isEqualTo(new FollowerLease(LEADER, "holder", 0).record());
    assertThat(leases.getLast())
        .usingRecursiveComparison()
        .isEqualTo(FollowerLease.released(LEADER, "holder"));
  }
}
