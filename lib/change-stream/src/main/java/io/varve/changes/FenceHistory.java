package io.varve.changes;

import io.varve.events.RawRecord;
import io.varve.log.LogPosition;
import io.varve.log.TermFence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The fence of a partition at every offset between a known one and the last evaluated record. A
 * listener's container moves back to a record whose listener failed, or to an earlier acknowledged
 * one whose offset is committed.
 *
 * <p>The history consists of runs. From the start of a run on, all records are accepted, so at
 * offset {@code start + n} the next seq_no is that of the start plus {@code n}. A record that is
 * not accepted ends a run, and the next one starts after it.
 *
 * <p>INVARIANT: the state at an offset depends on the log alone, so judging a record again gives
 * the same verdict. Not thread-safe.
 */
final class FenceHistory {

  /** Runs that are kept; the oldest are forgotten. */
  static final int MOST_RUNS = 10_000;

  private final long readFrom;
  private final long knownFrom;
  private final Deque<LogPosition> runs = new ArrayDeque<>();
  private long endOffset;

  /** A history that starts with a known state. */
  FenceHistory(LogPosition start) {
    this(start.nextOffset(), start);
  }

  /**
   * @param readFrom the first record that is read; those before {@code known} can't be evaluated
   * @param known the first known state
   */
  FenceHistory(long readFrom, LogPosition known) {
    this.readFrom = readFrom;
    this.knownFrom = known.nextOffset();
    this.endOffset = knownFrom;
    runs.addLast(known);
  }

  /** Whether the record is before the first known state. */
  boolean isBeforeKnown(long offset) {
    return offset >= readFrom && offset < knownFrom;
  }

  /** Whether the state just before the record at {@code offset} is known. */
  boolean covers(long offset) {
    return offset >= runs.getFirst().nextOffset() && offset <= endOffset;
  }

  /** The state just before the record at {@code offset}, which the history covers. */
  LogPosition at(long offset) {
    Iterator<LogPosition> newestFirst = runs.descendingIterator();
    while (newestFirst.hasNext() && offset <= endOffset) {
      LogPosition run = newestFirst.next();
      if (run.nextOffset() <= offset) {
        return new LogPosition(
            offset, run.nextSeqNo() + (offset - run.nextOffset()), run.fenceTerm());
      }
    }
    throw new IllegalArgumentException(
        "the fence is known at offsets "
            + runs.getFirst().nextOffset()
            + " to "
            + endOffset
            + ", not at "
            + offset);
  }

  /**
   * Decides whether the record at {@code offset}, which the history covers, is accepted.
   *
   * @throws io.varve.events.MalformedRecordException its header has an unknown format
   */
  TermFence.Verdict judge(long offset, RawRecord record) {
    TermFence fence = fence(at(offset));
    TermFence.Verdict verdict = fence.judge(record);
    if (offset == endOffset) {
      endOffset++;
      if (!verdict.accepted()) {
        runs.addLast(new LogPosition(endOffset, fence.nextSeqNo(), fence.term()));
        if (runs.size() > MOST_RUNS) {
          runs.removeFirst();
        }
      }
    }
    return verdict;
  }

  static TermFence fence(LogPosition position) {
    return new TermFence(position.fenceTerm(), position.nextSeqNo());
  }

  /** Forgets the states before {@code offset}, to which the container does not move back. */
  void forgetBefore(long offset) {
    if (!covers(offset)) {
      return;
    }
    LogPosition state = at(offset);
    while (!runs.isEmpty() && runs.getFirst().nextOffset() <= offset) {
      runs.removeFirst();
    }
    runs.addFirst(state);
  }
}
