package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A {@link FencedTail} over a log that loses records, regains them, or is replaced. */
class SkippedRecordsTest extends FencedLogWorld {

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
  void endsWhenTheNextOperationFollowsAFenceBehindTheRegainedOperations() {
    Told told = new Told();
    ReplacedLog replaced = new ReplacedLog(log);
    var _ = FencedTail.follow(replaced, 0, new TermFence(), told);
    replaced.holds(RecordHeader.fence(1, "n1"), operation(1, 2));
    replaced.deliver(0, 2);
    replaced.holds(
        RecordHeader.fence(1, "n1"), operation(1, 0), RecordHeader.fence(2, "n2"), operation(2, 1));

    replaced.deliver(2, 3);
    replaced.deliver(3, 4);

    assertThat(told.nextOffset).isEqualTo(-1);
    assertThat(told.accepted).isEmpty();
  }

  @Test
  void goesOnAfterAFailedAppendAndAFence() {
    Told told = new Told();
    ReplacedLog replaced = new ReplacedLog(log);
    var _ = FencedTail.follow(replaced, 0, new TermFence(), told);
    replaced.holds(
        RecordHeader.fence(1, "n1"),
        operation(1, 2),
        RecordHeader.fence(2, "n2"),
        operation(2, 0),
        RecordHeader.fence(3, "n1"),
        operation(3, 3),
        operation(3, 1));
    for (int i = 0; i < 7; i++) {
      replaced.deliver(i, i + 1);
    }
    assertThat(told.nextOffset).isEqualTo(7);
    assertThat(told.accepted).hasSize(2);
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
}
