package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;

/**
 * Decides, from the log alone, which records of a fenced partition are accepted. A fold: two
 * readers that start in the same state and read the same records always agree.
 *
 * <pre>
 *   fence(t)        wins   if t > term                      then term := t
 *   revival(t, s)   wins   if t > term                      then term := t, next := s
 *   data(t, s)      is accepted if t = term and s = next    then next := s + 1
 *   all others are rejected and change nothing
 * </pre>
 *
 * The first fence of a term wins and a second one loses, so assigning a term twice is harmless.
 * Records of a zombie carry an older term. The seq_no is part of the rule because appends sent
 * after a failed append may still reach the log: their term is right, but they leave a gap in the
 * seq_nos, were never acknowledged, and are rejected by every reader.
 *
 * <p>A revival continues a log that lost records, with the operations of the most advanced copy.
 * The log does not show which operations precede the revival: a reader whose position is before it
 * must be rebuilt from another copy.
 *
 * <p>INVARIANT: accepted seq_nos are dense, except at a revival. Not thread-safe: one instance per
 * reader.
 */
public final class TermFence {

  public enum Verdict {
    ACCEPTED,
    FENCE_WON,
    FENCE_LOST,
    /** A revival won: this reader lacks the operations before it. */
    REVIVED,
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
   * The state that a manifest, a commit or a cursor recorded for the offset at which reading
   * resumes.
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
   * A record without a header comes from another producer and is rejected as stale. A record with
   * an unreadable header is not rejected: a newer version may have written it, and would accept it.
   *
   * @throws MalformedRecordException if the header has an unknown format
   */
  public Verdict judge(RawRecord record) {
    return record.header().length == 0
        ? Verdict.STALE_TERM
        : judge(RecordHeader.read(record.header()));
  }

  /**
   * Decides whether a record of {@code log} is accepted, and applies it if so.
   *
   * @throws UnreadableRecordException if the header has an unknown format
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
      case REVIVAL -> {
        if (header.term() <= term) {
          yield Verdict.FENCE_LOST;
        }
        term = header.term();
        nextSeqNo = header.seqNo();
        yield Verdict.REVIVED;
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

  /**
   * Whether the record is an operation of a later term than the one in force. The fence of a term
   * precedes its operations, so this reader's position is not one of the partition: the partition
   * was replaced or restored, and the fence is before the position.
   *
   * @throws MalformedRecordException the header has an unknown format
   */
  public boolean isBeforeFenceOf(RawRecord record) {
    if (record.header().length == 0) {
      return false;
    }
    RecordHeader header = RecordHeader.read(record.header());
    return header.kind() == RecordHeader.Kind.DATA && header.term() > term;
  }

  /**
   * Whether the record is an operation of the term in force whose predecessor was not accepted. Its
   * append failed, or this reader did not read it.
   *
   * @throws MalformedRecordException the header has an unknown format
   */
  boolean isGapBefore(RawRecord record) {
    RecordHeader header = RecordHeader.read(record.header());
    return header.kind() == RecordHeader.Kind.DATA
        && header.term() == term
        && header.seqNo() > nextSeqNo;
  }

  /** The term of the newest fence, 0 before the first. */
  public long term() {
    return term;
  }

  /** The seq_no of the next accepted record. */
  public long nextSeqNo() {
    return nextSeqNo;
  }

  public TermFence copy() {
    return new TermFence(term, nextSeqNo);
  }
}
