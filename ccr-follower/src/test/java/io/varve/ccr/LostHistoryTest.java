package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.RemoteCluster;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.PullerStats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The leader's log does not continue what the follower holds: it was truncated while the follower
 * was away for longer than its lease, or the leader was restored from a copy of its log. The puller
 * reports the loss and sends nothing until the follower has another cursor.
 */
@Timeout(180)
class LostHistoryTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "leader", "n1", 1);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int OPERATIONS = 10;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong nowMillis = new AtomicLong(1_000_000);
  private final List<String> reported = new CopyOnWriteArrayList<>();
  private final Metadata metadata = new Metadata();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, nowMillis::get);
  private final PartitionLog leader = log.open("operations", 0);
  private final HoldingFollower follower = new HoldingFollower();

  @BeforeEach
  void fillLeader() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    appendOperations(1, 0, OPERATIONS);
  }

  private void appendOperations(long term, int fromSeqNo, int toSeqNo) throws Exception {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    for (int seqNo = fromSeqNo; seqNo < toSeqNo; seqNo++) {
      String id = "d" + seqNo;
      append(OperationCodec.encode(new Operation(term, seqNo, 1, 0, id, null, source, null)));
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

  /** Counts reported losses. */
  private final class Metadata implements ShardPuller.MappingSync {
    @Override
    public void upTo(long leaderMappingVersion) {}

    @Override
    public void historyLost(String reason) {
      reported.add(reason);
    }
  }

  private ShardPuller puller() {
    ShardId shard = new ShardId("followed", 0);
    return new ShardPuller(
        shard,
        FOLLOW,
        follower,
        () ->
            new ShardPuller.Leader(
                () -> {},
                leader,
                new LeaseKeeper(null, shard, "follower"),
                new ReadAhead(16 << 20)),
        metadata,
        () -> Instant.ofEpochMilli(nowMillis.get()));
  }

  private static PullerStats awaitState(ShardPuller puller, PullProgress.State state) {
    Awaitility.await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(puller.stats().state()).isEqualTo(state.name()));
    return puller.stats();
  }

  private void awaitReport() {
    Awaitility.await()
        .atMost(SOON)
        .until(() -> {
          nowMillis.addAndGet(LossConfirmation.CONFIRMED_MILLIS);
          return !reported.isEmpty();
        });
  }

  @Test
  void carriesNothingOverAGap() throws Exception {
    leader.truncateBefore(6);

    try (ShardPuller puller = puller()) {
      PullerStats stats = awaitState(puller, PullProgress.State.LOST);

      assertThat(stats.lastError()).isNotEmpty();
      assertThat(follower.seqNos()).isEmpty();
    }
  }

  @Test
  void aLossThatLastsIsReported() throws Exception {
    leader.truncateBefore(6);

    try (ShardPuller puller = puller()) {
      PullerStats stats = awaitState(puller, PullProgress.State.LOST);
      assertThat(reported).isEmpty();

      awaitReport();

      assertThat(reported).containsOnly(stats.lastError());
    }
  }

  @Test
  void anotherIndexUnderTheLeadersNameIsALoss() {
    ShardId shard = new ShardId("followed", 0);
    try (ShardPuller puller =
        new ShardPuller(
            shard,
            FOLLOW,
            follower,
            () -> {
              throw new ShardPuller.OtherLeaderException("the leader index was created again");
            },
            metadata,
            () -> Instant.ofEpochMilli(nowMillis.get()))) {
      awaitState(puller, PullProgress.State.LOST);
      awaitReport();
      assertThat(reported).containsOnly("the leader index was created again");
    }
  }

  @Test
  void goesOnFromWhatItIsGivenAnew() throws Exception {
    leader.truncateBefore(6);
    try (ShardPuller puller = puller()) {
      awaitState(puller, PullProgress.State.LOST);

      follower.beginAnewAt(5);

      awaitState(puller, PullProgress.State.PULLING);
      Awaitility.await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).containsExactly(5L, 6L, 7L, 8L, 9L));
    }
  }

  /** The leader's log as it was before its last operations, an hour later. */
  private void restore() {
    log.cutEnd("operations", 0, OPERATIONS - 2);
    nowMillis.addAndGet(3_600_000);
  }

  private void awaitAllHeld() {
    Awaitility.await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(follower.seqNos()).hasSize(OPERATIONS));
  }

  /** Checks that the follower has all operations of the first history and none of another. */
  @Test
  void aDeletedLeaderIndexIsNoLossOfHistory() {
    ShardPuller puller =
        new ShardPuller(
            new ShardId("followed", 0),
            FOLLOW,
            follower,
            () -> {
              throw new RemoteCluster.MissingIndexException("books");
            },
            metadata,
            () -> Instant.ofEpochMilli(nowMillis.get()));

    PullerStats stats = awaitState(puller, PullProgress.State.DELETED);

    assertThat(stats.lastError()).isEqualTo("no such index [books]");
    puller.close();
    assertThat(reported).isEmpty();
  }

  private void staysLost(ShardPuller puller) {
    awaitState(puller, PullProgress.State.LOST);
    Awaitility.await()
        .during(Duration.ofMillis(500))
        .atMost(SOON)
        .until(() -> puller.stats().state().equals(PullProgress.State.LOST.name()));
    assertThat(follower.seqNos()).hasSize(OPERATIONS);
  }

  @Test
  void aLeaderThatWasRestoredWhileNobodyPulledIsNoticed() throws Exception {
    try (ShardPuller _ = puller()) {
      awaitAllHeld();
    }
    restore();

    try (ShardPuller puller = puller()) {
      staysLost(puller);
      assertThat(puller.stats().lastError()).contains("the log ends at offset 8");
      assertThat(puller.stats().lagMillis()).isNotNegative();
    }
  }

  @Test
  void aRestoredLeaderThatIsIdleIsNoticedByAnIdleFollower() {
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      restore();
      staysLost(puller);
    }
  }

  @Test
  void aRestoredLeaderThatWritesInANewTermIsNoticed() throws Exception {
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      restore();
      append(RecordHeader.fence(2, "n1"));
      appendOperations(2, OPERATIONS - 3, OPERATIONS + 20);
      staysLost(puller);
    }
  }

  @Test
  void aRestoredLeaderThatIsGivenTheSameTermAgainIsNoticed() throws Exception {
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      restore();
      appendOperations(1, OPERATIONS - 3, OPERATIONS + 20);
      staysLost(puller);
    }
  }

  @Test
  void anIdleFollowerComparesItsLastRecordWhenItRenewsItsLease() throws Exception {
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      restore();
      appendOperations(1, OPERATIONS - 3, OPERATIONS);
      assertThat(leader.endOffset()).isEqualTo(OPERATIONS + 1);
      staysLost(puller);
      assertThat(puller.stats().lastError()).contains("another digest");
    }
  }

  @Test
  void operationsInThePlaceOfAFenceThatWasReadArePulledToo() throws Exception {
    append(RecordHeader.fence(2, "n1"));
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      Awaitility.await()
          .atMost(SOON)
          .until(() -> puller.stats().leaderReadOffset() == OPERATIONS + 2);
      log.cutEnd("operations", 0, OPERATIONS + 1);
      nowMillis.addAndGet(3_600_000);

      appendOperations(1, OPERATIONS, OPERATIONS + 5);

      Awaitility.await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).hasSize(OPERATIONS + 5));
    }
  }

  @Test
  void followsAgainOnceTheLeaderHasItsHistoryAgain() throws Exception {
    try (ShardPuller puller = puller()) {
      awaitAllHeld();
      restore();
      staysLost(puller);

      // Now a complete copy is restored instead of the older one.
      nowMillis.addAndGet(-3_600_000);
      appendOperations(1, OPERATIONS - 3, OPERATIONS);

      awaitState(puller, PullProgress.State.PULLING);
      appendOperations(1, OPERATIONS, OPERATIONS + 1);
      Awaitility.await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).hasSize(OPERATIONS + 1));
    }
  }
}
