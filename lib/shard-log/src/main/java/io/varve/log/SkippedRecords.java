package io.varve.log;

import io.varve.events.StoredRecord;
import io.varve.log.TermFence.Verdict;

/**
 * Detects that the reader of a fenced partition has skipped records that it would have accepted.
 *
 * <p>A partition can lose its tail and regain it later, with other records in between. A reader
 * that keeps its offset during that time never reads some of the regained records. It then rejects
 * all later operations, because their seq_nos leave a gap, or because it did not read the fence of
 * their term.
 *
 * <p>Such an operation does not prove that the reader skipped records. A failed append leaves the
 * same gap, and if a fence was lost, the log holds operations of its term without the fence. The
 * reader therefore re-evaluates all records after the last one that changed its state. If the
 * result differs, it has skipped records, because two readers of the same records agree. A fence
 * that follows a gap changes its term only: the records of the gap may still be skipped ones, until
 * an operation is accepted.
 *
 * <p>If the fence was not read, the partition may also have been replaced by another one, in which
 * the fence precedes the last record that changed the state of the reader. In that case the new
 * partition does not contain this record.
 *
 * <p>Called only by the thread of the tail, which may block.
 */
final class SkippedRecords {

  private final PartitionLog log;
  private final TermFence fence;
  private long offset;
  private long term;
  private long nextSeqNo;
  private boolean suspected;

  /** Whether an operation that left a gap was rejected, and none was accepted since then. */
  private boolean isBehindGap;

  private boolean lacksFence;

  /**
   * @param fence the state of the reader at that offset, which the reader changes
   */
  SkippedRecords(PartitionLog log, long fromOffset, TermFence fence) {
    this.log = log;
    this.fence = fence;
    changedAt(fromOffset);
  }

  private void changedAt(long nextOffset) {
    offset = nextOffset;
    term = fence.term();
    nextSeqNo = fence.nextSeqNo();
  }

  /** The reader has evaluated its next record. */
  void judged(StoredRecord stored, Verdict verdict) {
    switch (verdict) {
      case ACCEPTED -> {
        if (!suspected && !lacksFence) {
          isBehindGap = false;
          changedAt(stored.offset() + 1);
        }
      }
      case FENCE_WON -> {
        if (!suspected && !lacksFence && !isBehindGap) {
          changedAt(stored.offset() + 1);
        }
      }
      case OUT_OF_SEQUENCE -> {
        if (fence.isGapBefore(stored.record())) {
          suspected = true;
          isBehindGap = true;
        }
      }
      case STALE_TERM -> lacksFence |= fence.isBeforeFenceOf(stored.record());
      case FENCE_LOST, REVIVED -> {}
    }
  }

  /**
   * Whether the partition holds records before that offset that the reader skipped. If the log does
   * not answer, the next call checks again.
   */
  boolean areBefore(long readOffset) {
    if (!suspected && !lacksFence) {
      return false;
    }
    TermFence second = new TermFence(term, nextSeqNo);
    try {
      if (lacksFence && isReplaced()) {
        return true;
      }
      log.read(offset, readOffset, stored -> second.judge(log, stored));
    } catch (LogException.Unavailable e) {
      return false;
    } catch (LogException e) {
      // The log was truncated, or is shorter again: the check is repeated at the next such
      // operation.
      trust();
      return false;
    } catch (UnreadableRecordException e) {
      return true;
    }
    trust();
    return second.term() != fence.term() || second.nextSeqNo() != fence.nextSeqNo();
  }

  private void trust() {
    suspected = false;
    lacksFence = false;
  }

  private boolean isReplaced() throws LogException.Unavailable {
    return LogContinuity.check(log, new LogPosition(offset, nextSeqNo, term))
        instanceof LogContinuity.Outcome.Lost;
  }
}
