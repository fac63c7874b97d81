package io.varve.log;

import io.varve.events.StoredRecord;
import io.varve.log.TermFence.Verdict;

/**
 * Detects that the reader of a fenced partition has skipped records which it would have accepted.
 *
 * <p>A partition can lose its tail and regain it later, with other records in between. A reader
 * that keeps its offset meanwhile never reads some of the regained records, and rejects all later
 * operations, because their seq_nos leave a gap. An append that failed leaves the same gap. So at a
 * gap the reader judges all records behind the last one that changed its state again: two readers
 * of the same records agree.
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

  /** The reader judged its next record. */
  void judged(StoredRecord stored, Verdict verdict) {
    switch (verdict) {
      case ACCEPTED, FENCE_WON -> {
        if (!suspected) {
          changedAt(stored.offset() + 1);
        }
      }
      case OUT_OF_SEQUENCE -> suspected |= fence.isGapBefore(stored.record());
      case FENCE_LOST, REVIVED, STALE_TERM -> {}
    }
  }

  /**
   * Whether the partition holds records before that offset of the reader that it skipped. If the
   * log does not answer, the next call looks again.
   */
  boolean areBefore(long readOffset) {
    if (!suspected) {
      return false;
    }
    TermFence second = new TermFence(term, nextSeqNo);
    try {
      log.read(offset, readOffset, stored -> second.judge(log, stored));
    } catch (LogException.Unavailable e) {
      return false;
    } catch (LogException e) {
      // The log was truncated, or is shorter again: the next gap is judged then.
      suspected = false;
      return false;
    } catch (UnreadableRecordException e) {
      return true;
    }
    suspected = false;
    return second.term() != fence.term() || second.nextSeqNo() != fence.nextSeqNo();
  }
}
