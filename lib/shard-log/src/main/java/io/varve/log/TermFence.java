package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;

/**
 * Decides, from the log alone, which records of a fenced partition are accepted. A fold: two
 * readers that began in the same state and read the same records agree, for ever.
 *
 * <pre>
 *   fence(t)     wins   if t > term                      then term := t
 *   data(t, s)   is accepted if t = term and s = next    then next := s + 1
 *   all others are rejected and change nothing
 * </pre>
 *
 * So the first fence of a term wins and a second of the same term loses: a term assigned twice is
 * harmless. A zombie's record carries an older term. The seq_no is part of the rule because a
 * writer whose append failed may still land later appends that it had sent behind it: they are of
 * the right term, but they leave a hole, were never acked, and are rejected by every reader alike.
 *
 * <p>INVARIANT: accepted seq_nos are dense. Not thread-safe: one reader, one fence.
 */
public final class TermFence {

  /** What became of a record. */
  public enum Verdict {
    ACCEPTED,
    FENCE_WON,
    FENCE_LOST,
    STALE_TERM,
    OUT_OF_SEQUENCE;

    public boolean accepted() {
      return this == ACCEPTED;
    }
  }

  private long term;
  private long nextSeqNo;

  /** The state at the start of a partition. */
  public TermFence() {
    this(0, 0);
  }

  /**
   * The state that a manifest, a commit or a cursor recorded for the offset from which reading goes
   * on.
   */
  public TermFence(long term, long nextSeqNo) {
    if (term < 0 || nextSeqNo < 0) {
      throw new IllegalArgumentException(
          "fence needs term and next seq_no >= 0, was " + term + ", " + nextSeqNo);
    }
    this.term = term;
    this.nextSeqNo = nextSeqNo;
  }

  /**
   * A record without a header, from some other producer, is of no term and so rejected as stale. A
   * header that can't be read is not: a newer version may have written it and accepts it.
   *
   * @throws MalformedRecordException the header is of no known form
   */
  public Verdict judge(RawRecord record) {
    return record.header().length == 0
        ? Verdict.STALE_TERM
        : judge(RecordHeader.read(record.header()));
  }

  /**
   * The same for a record of {@code log}.
   *
   * @throws UnreadableRecordException the header is of no known form
   */
  public Verdict judge(PartitionLog log, StoredRecord stored) {
    try {
      return judge(stored.record());
    } catch (MalformedRecordException e) {
      throw new UnreadableRecordException(log, stored.offset(), e);
    }
  }

  public Verdict judge(RecordHeader header) {
    return switch (header.kind()) {
      case FENCE -> {
        if (header.term() <= term) {
          yield Verdict.FENCE_LOST;
        }
        term = header.term();
        yield Verdict.FENCE_WON;
      }
      case DATA -> {
        if (header.term() != term) {
          yield Verdict.STALE_TERM;
        }
        if (header.seqNo() != nextSeqNo) {
          yield Verdict.OUT_OF_SEQUENCE;
        }
        nextSeqNo++;
        yield Verdict.ACCEPTED;
      }
    };
  }

  /** The newest fence's term, 0 before the first. */
  public long term() {
    return term;
  }

  /** The seq_no that the next accepted record will have. */
  public long nextSeqNo() {
    return nextSeqNo;
  }

  public TermFence copy() {
    return new TermFence(term, nextSeqNo);
  }
}
