package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link FencedTail} and {@link FencedReplay} over a log that answers on the caller's thread.
 */
class FencedTailTest {

  private final PartitionLog log =
      new InMemoryMessageLog(Runnable::run, () -> 0).open("operations", 0);

  /** Records the calls of a listener as text. */
  private static final class Told implements FencedTail.Listener {
    final List<Long> accepted = new ArrayList<>();
    final List<UnreadableRecordException> unreadable = new ArrayList<>();
    final List<Long> missed = new ArrayList<>();
    long nextOffset;
    long term;

    @Override
    public void accepted(List<StoredRecord> batch, long next, long inForce) {
      batch.forEach(stored -> accepted.add(stored.offset()));
      nextOffset = next;
      term = inForce;
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      nextOffset = -1;
    }

    @Override
    public void fenceMissed(StoredRecord record) {
      missed.add(record.offset());
    }

    @Override
    public void unreadable(UnreadableRecordException reason) {
      unreadable.add(reason);
    }
  }

  /** A log whose records the test replaces and delivers. */
  private static final class ReplacedLog extends DelegatingLog {
    private List<StoredRecord> records = List.of();
    private @Nullable BatchListener listener;
    private boolean answers = true;

    ReplacedLog(PartitionLog log) {
      super(log);
    }

    void holds(RawRecord... now) {
      records = new ArrayList<>();
      for (RawRecord record : now) {
        records.add(new StoredRecord(records.size(), 0, record));
      }
    }

    void deliver(int fromOffset, int toOffset) {
      Objects.requireNonNull(listener).records(records.subList(fromOffset, toOffset));
    }

    @Override
    public long startOffset() {
      return 0;
    }

    @Override
    public long endOffset() throws LogException.Unavailable {
      if (!answers) {
        throw new LogException.Unavailable("it does not answer");
      }
      return records.size();
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      if (!answers) {
        throw new LogException.Unavailable("it does not answer");
      }
      if (toOffset > records.size()) {
        throw new LogException.OutOfRange("it ends at " + records.size());
      }
      records.subList((int) fromOffset, (int) toOffset).forEach(visitor::visit);
    }

    @Override
    public Subscription subscribe(long fromOffset, BatchListener follower) {
      listener = follower;
      return () -> {};
    }
  }

  private void append(RawRecord record) throws LogException.Full {
    log.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            // Readers encounter the record.
          }

          @Override
          public void unknown(String reason) {
            throw new AssertionError(reason);
          }
        });
  }

  private void fence(long term) throws Exception {
    append(RecordHeader.fence(term, "n1"));
  }

  private void data(long term, long seqNo) throws Exception {
    append(operation(term, seqNo));
  }

  private static RawRecord operation(long term, long seqNo) {
    byte[] bytes = "x".getBytes(StandardCharsets.UTF_8);
    return RecordHeader.data(term, seqNo, bytes, bytes);
  }

  private void unreadableRecord() throws Exception {
    append(new RawRecord(null, new byte[] {1}, new byte[] {99, 99, 99}));
  }

  /** Appends records of two terms, of which those at offsets 1 and 4 are accepted. */
  private void zombieBetweenTwoTerms() throws Exception {
    fence(1);
    data(1, 0);
    fence(2);
    data(1, 1);
    data(2, 1);
    data(2, 3);
  }

  @Test
  void handsOnWhatIsAcceptedAndNothingElse() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).containsExactly(1L, 4L);
      assertThat(told.nextOffset).isEqualTo(6);
      assertThat(told.term).isEqualTo(2);

      data(2, 2);
      assertThat(told.accepted).containsExactly(1L, 4L, 6L);
    }
  }

  @Test
  void handsOnNothingOnceClosed() throws Exception {
    Told told = new Told();
    FencedTail.follow(log, 0, new TermFence(), told).close();

    fence(1);
    data(1, 0);

    assertThat(told.accepted).isEmpty();
  }

  @Test
  void goesOnFromTheStateThatItIsGiven() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 3, new TermFence(2, 1), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).containsExactly(4L);
    }
  }

  @Test
  void tellsOfAnOperationWhoseFenceItDidNotRead() throws Exception {
    zombieBetweenTwoTerms();
    Told told = new Told();

    try (FencedTail tail = FencedTail.followShared(log, 3, new TermFence(1, 1), told)) {
      assertThat(tail).isNotNull();
      assertThat(told.accepted).as("the reader believes itself in term 1").containsExactly(3L);
      assertThat(told.missed).containsExactly(4L, 5L);
    }
    Told fromTheStart = new Told();
    FencedTail.follow(log, 0, new TermFence(), fromTheStart).close();
    assertThat(fromTheStart.missed).isEmpty();
  }

  @Test
  void endsAtARecordThatItCannotRead() throws Exception {
    fence(1);
    data(1, 0);
    unreadableRecord();
    data(1, 1);
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
      data(1, 2);
    }

    assertThat(told.accepted).containsExactly(1L);
    assertThat(told.nextOffset).isEqualTo(2);
    assertThat(told.unreadable).hasSize(1);
  }

  @Test
  void tellsOfNoPlaceWhenTheFirstRecordIsUnreadable() throws Exception {
    unreadableRecord();
    Told told = new Told();
    told.nextOffset = 77;

    try (FencedTail tail = FencedTail.follow(log, 0, new TermFence(), told)) {
      assertThat(tail).isNotNull();
    }

    assertThat(told.unreadable).hasSize(1);
    assertThat(told.nextOffset).isEqualTo(77);
  }

  @Test
  void tellsWhenItsPlaceWasTruncated() throws Exception {
    zombieBetweenTwoTerms();
    log.truncateBefore(4);
    Told told = new Told();

    try (FencedTail tail = FencedTail.follow(log, 1, new TermFence(), told)) {
      assertThat(tail).isNotNull();
    }

    assertThat(told.nextOffset).isEqualTo(-1);
  }

  /** Reads the fence, and then a record behind a lost tail. */
  private ReplacedLog followedThroughALossOfTheTail(Told told) {
    ReplacedLog replaced = new ReplacedLog(log);
    var _ = FencedTail.follow(replaced, 0, new TermFence(), told);
    replaced.holds(RecordHeader.fence(1, "n1"));
    replaced.deliver(0, 1);
    replaced.holds(operation(1, 3), operation(1, 4));
    replaced.deliver(1, 2);
    assertThat(told.nextOffset).as("the log may lack a failed append").isEqualTo(2);
    replaced.holds(RecordHeader.fence(1, "n1"), operation(1, 0), operation(1, 1), operation(1, 2));
    return replaced;
  }

  @Test
  void endsWhenTheLogRegainsOperationsBeforeItsPosition() {
    Told told = new Told();

    followedThroughALossOfTheTail(told).deliver(2, 4);

    assertThat(told.nextOffset).isEqualTo(-1);
    assertThat(told.accepted).isEmpty();
  }

  @Test
  void looksAgainForOperationsBeforeItsPositionWhenTheLogDidNotAnswer() {
    Told told = new Told();
    ReplacedLog replaced = followedThroughALossOfTheTail(told);

    replaced.answers = false;
    replaced.deliver(2, 3);
    assertThat(told.nextOffset).isEqualTo(3);

    replaced.answers = true;
    replaced.deliver(3, 4);
    assertThat(told.nextOffset).isEqualTo(-1);
  }

  /** Reads a fence and an operation. */
  private static ReplacedLog followed(PartitionLog log, Told told) {
    ReplacedLog replaced = new ReplacedLog(log);
    var _ = FencedTail.follow(replaced, 0, new TermFence(), told);
    replaced.holds(RecordHeader.fence(1, "n1"), operation(1, 0));
    replaced.deliver(0, 2);
    assertThat(told.accepted).containsExactly(1L);
    return replaced;
  }

  /** The log lost its tail, in which the fence was, while it held another record in its place. */
  private ReplacedLog regainsAFence(Told told) {
    ReplacedLog replaced = followed(log, told);
    replaced.holds(RecordHeader.fence(1, "n1"), operation(1, 0), RecordHeader.fence(1, "n2"));
    replaced.deliver(2, 3);
    replaced.holds(
        RecordHeader.fence(1, "n1"),
        operation(1, 0),
        RecordHeader.fence(2, "n2"),
        operation(2, 1),
        operation(2, 2));
    return replaced;
  }

  @Test
  void endsWhenTheLogRegainsAFenceBeforeItsPosition() {
    Told told = new Told();

    regainsAFence(told).deliver(3, 5);

    assertThat(told.nextOffset).isEqualTo(-1);
    assertThat(told.accepted).containsExactly(1L);
  }

  @Test
  void looksAgainForAFenceBeforeItsPositionWhenTheLogDidNotAnswer() {
    Told told = new Told();
    ReplacedLog replaced = regainsAFence(told);

    replaced.answers = false;
    replaced.deliver(3, 4);
    assertThat(told.nextOffset).isEqualTo(4);

    replaced.answers = true;
    replaced.deliver(4, 5);
    assertThat(told.nextOffset).isEqualTo(-1);
  }

  @Test
  void endsAtAnOperationOfALogThatReplacedItsOwn() {
    Told told = new Told();
    ReplacedLog replaced = followed(log, told);

    replaced.holds(
        RecordHeader.fence(1, "n1"), RecordHeader.fence(2, "n2"), operation(2, 0), operation(2, 1));
    replaced.deliver(2, 4);

    assertThat(told.nextOffset).isEqualTo(-1);
    assertThat(told.accepted).containsExactly(1L);
  }

  @Test
  void goesOnBehindAnOperationThatIsBeforeItsFenceForEveryReader() {
    Told told = new Told();
    ReplacedLog replaced = followed(log, told);

    replaced.holds(
        RecordHeader.fence(1, "n1"),
        operation(1, 0),
        operation(2, 1),
        RecordHeader.fence(3, "n3"),
        operation(3, 1));
    replaced.deliver(2, 3);
    assertThat(told.nextOffset).isEqualTo(3);
    replaced.deliver(3, 5);

    assertThat(told.nextOffset).isEqualTo(5);
    assertThat(told.accepted).containsExactly(1L, 4L);
  }

  @Test
  void replaysWhatIsAcceptedUpToTheFence() throws Exception {
    zombieBetweenTwoTerms();
    fence(3);
    data(3, 2);
    TermFence fence = new TermFence();
    List<Long> accepted = new ArrayList<>();

    TermFence.Verdict own =
        FencedReplay.upTo(log, 0, 6, fence, stored -> accepted.add(stored.offset()));

    assertThat(own).isEqualTo(TermFence.Verdict.FENCE_WON);
    assertThat(accepted).containsExactly(1L, 4L);
    assertThat(fence.term()).isEqualTo(3);
    assertThat(fence.nextSeqNo()).isEqualTo(2);
  }

  @Test
  void aReplayTellsThatItsFenceLost() throws Exception {
    fence(2);
    fence(1);

    assertThat(FencedReplay.upTo(log, 0, 1, new TermFence(), _ -> {}))
        .isEqualTo(TermFence.Verdict.FENCE_LOST);
  }

  @Test
  void aReplayEndsAtARecordThatItCannotRead() throws Exception {
    fence(1);
    unreadableRecord();
    fence(2);

    assertThatThrownBy(() -> FencedReplay.upTo(log, 0, 2, new TermFence(), _ -> {}))
        .isInstanceOf(UnreadableRecordException.class);
  }

  @Test
  void aReaderEndsAtARevivalAndHasEverythingBeforeIt() throws Exception {
    fence(1);
    append(RecordHeader.data(1, 0, new byte[] {1}, new byte[] {1}));
    append(RecordHeader.revival(2, 5, "n2"));
    append(RecordHeader.data(2, 5, new byte[] {1}, new byte[] {1}));

    Told told = new Told();
    FencedTail.follow(log, 0, new TermFence(), told).close();
    assertThat(told.accepted).containsExactly(1L);
    assertThat(told.nextOffset).isEqualTo(-1);

    List<Long> replayed = new ArrayList<>();
    assertThatThrownBy(() ->
            FencedReplay.upTo(log, 0, 3, new TermFence(), stored -> replayed.add(stored.offset())))
        .isInstanceOf(LogException.OutOfRange.class)
        .hasMessageContaining("revived at offset 2");
    assertThat(replayed).containsExactly(1L);

    Told behind = new Told();
    FencedTail.follow(log, 3, new TermFence(2, 5), behind).close();
    assertThat(behind.accepted).containsExactly(3L);
  }
}
