package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where the history that a partition still holds begins.
 *
 * <pre>
 *   the first record is a revival    right after it: the operations before it are not in the log
 *   any other                        at the first record
 * </pre>
 *
 * @param offset the first offset from which a copy can replay
 * @param revivedTerm the term of the revival at the start, 0 for none
 * @param firstTerm the term of the first record; {@link #UNKNOWN_TERM} if there is none, or if its
 *     header can't be read
 */
public record LogBeginning(long offset, long revivedTerm, long firstTerm) {

  /** A term that may be later than any other one. */
  static final long UNKNOWN_TERM = Long.MAX_VALUE;

  public static LogBeginning of(PartitionLog log) throws LogException {
    long start = log.startOffset();
    if (start >= log.endOffset()) {
      return new LogBeginning(start, 0, UNKNOWN_TERM);
    }
    RecordHeader first = header(log, start);
    if (first == null) {
      return new LogBeginning(start, 0, UNKNOWN_TERM);
    }
    return first.kind() == RecordHeader.Kind.REVIVAL
        ? new LogBeginning(start + 1, first.term(), first.term())
        : new LogBeginning(start, 0, first.term());
  }

  private static @Nullable RecordHeader header(PartitionLog log, long offset) throws LogException {
    StoredRecord[] found = {null};
    log.read(offset, offset + 1, stored -> found[0] = stored);
    if (found[0] == null || found[0].record().header().length == 0) {
      return null;
    }
    try {
      return RecordHeader.read(found[0].record().header());
    } catch (MalformedRecordException e) {
      // The copy that replays the record reports the error.
      return null;
    }
  }

  /**
   * Whether a copy at that position lacks operations that only other copies have. A position of an
   * earlier term than that of the revival belongs to the log before the revival.
   */
  public boolean isBehind(LogPosition position) {
    return position.nextOffset() < offset || position.fenceTerm() < revivedTerm;
  }

  /**
   * Whether the shard may have been revived after that term, so that operations of that term may be
   * lost. A revival is the first record of the log until retention removes it. After that, the log
   * begins with a later term than any term before the revival.
   */
  public boolean mayBeRevivedAfter(long term) {
    return firstTerm > term;
  }

  static LogException.OutOfRange behind(PartitionLog log, long revivalOffset) {
    return new LogException.OutOfRange(
        log.topic()
            + ", partition "
            + log.partition()
            + " was revived at offset "
            + revivalOffset
            + ": the operations before it are only in other copies");
  }
}
