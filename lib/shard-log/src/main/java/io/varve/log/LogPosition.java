package io.varve.log;

/**
 * The position up to which a copy has applied a fenced partition, and the identity of the last
 * applied record, the one right before {@code nextOffset}.
 *
 * <p>That record is either the operation {@code nextSeqNo - 1} of {@code fenceTerm} or, for a
 * primary that has not written yet, the fence of {@code fenceTerm}.
 *
 * @param nextOffset all records before it are applied; 0 for a copy that has applied nothing
 * @param nextSeqNo the seq_no of the next accepted operation
 * @param fenceTerm the term in force just before {@code nextOffset}
 * @param lastRecordMillis the timestamp of the record right before {@code nextOffset}, {@link
 *     #UNKNOWN} in positions written without it
 * @param lastRecordDigest the {@link io.varve.events.RecordDigest} of that record, or {@link
 *     #UNKNOWN}
 */
public record LogPosition(
    long nextOffset, long nextSeqNo, long fenceTerm, long lastRecordMillis, long lastRecordDigest) {

  /** Timestamp or digest of an unknown record. */
  public static final long UNKNOWN = -1;

  public LogPosition {
    if (nextOffset < 0
        || nextSeqNo < 0
        || fenceTerm < 0
        || lastRecordMillis < UNKNOWN
        || lastRecordDigest < UNKNOWN) {
      throw new IllegalArgumentException(
          "position out of range: next offset "
              + nextOffset
              + ", next seq_no "
              + nextSeqNo
              + ", fence term "
              + fenceTerm
              + ", last record at "
              + lastRecordMillis
              + ", digest "
              + lastRecordDigest);
    }
  }

  /** A position without the digest of the last record. */
  public LogPosition(long nextOffset, long nextSeqNo, long fenceTerm, long lastRecordMillis) {
    this(nextOffset, nextSeqNo, fenceTerm, lastRecordMillis, UNKNOWN);
  }

  /** A position that identifies the last record by its offset, term and seq_no alone. */
  public LogPosition(long nextOffset, long nextSeqNo, long fenceTerm) {
    this(nextOffset, nextSeqNo, fenceTerm, UNKNOWN, UNKNOWN);
  }
}
