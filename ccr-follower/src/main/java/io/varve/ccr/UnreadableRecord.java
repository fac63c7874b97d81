package io.varve.ccr;

import io.varve.events.MalformedRecordException;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.TermFence;
import java.util.List;

/**
 * Decides, for a record {@code u} of a leader's log whose header can't be read, whether the leader
 * accepted it as an operation. The first readable record after it that a reader can accept decides;
 * {@code term} and {@code n}, the next seq_no, are in force before {@code u}.
 *
 * <pre>
 *   data(term, n)            Other       u is no operation
 *   data(term, n + 1)        Operation   u is operation n
 *   data(t &gt; term, n),
 *     no fence(t) between    Other       u is the fence of t
 *   fence(t &gt; term), then
 *     data(t, n)             Other       u is no operation
 *     data(t, n + 1)         Operation   u is operation n
 *   none of them             Unknown     until more records follow
 * </pre>
 *
 * A primary assigns a seq_no once in a term, so the two cases of a term exclude each other. No I/O.
 */
final class UnreadableRecord {

  /** At most this many records after the unreadable one are read. */
  static final int MOST_RECORDS_BEHIND = 64;

  /** What the record is. */
  sealed interface Kind {

    /** An operation, with the next seq_no in the term that was in force. */
    record Operation() implements Kind {}

    /**
     * No operation.
     *
     * @param behind the state after the record
     */
    record Other(TermFence behind) implements Kind {}

    /** The records after it do not determine this. */
    record Unknown() implements Kind {}
  }

  private UnreadableRecord() {}

  /**
   * @param before the state before the record; not changed
   * @param behind the records after it, in order
   */
  static Kind of(TermFence before, List<StoredRecord> behind) {
    long term = before.term();
    long next = before.nextSeqNo();
    long newestTerm = term;
    for (StoredRecord stored : behind) {
      if (stored.record().header().length == 0) {
        continue;
      }
      RecordHeader header;
      try {
        header = RecordHeader.read(stored.record().header());
      } catch (MalformedRecordException e) {
        return new Kind.Unknown();
      }
      switch (header.kind()) {
        case REVIVAL -> {
          return new Kind.Unknown();
        }
        case FENCE -> newestTerm = Math.max(newestTerm, header.term());
        case DATA -> {
          if (header.term() == newestTerm && header.seqNo() == next + 1) {
            return new Kind.Operation();
          }
          if (header.term() >= newestTerm && header.seqNo() == next) {
            boolean isFence = header.term() > newestTerm;
            return new Kind.Other(new TermFence(isFence ? header.term() : term, next));
          }
        }
      }
    }
    return new Kind.Unknown();
  }
}
