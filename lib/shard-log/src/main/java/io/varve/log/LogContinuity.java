package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a partition is still the one that a copy applied up to its position {@code p}.
 *
 * <pre>
 *   p = 0 = start                                    Continues: nothing of it was applied
 *   p &gt; end                                          Lost: the end went back
 *   p &lt; start                                        Truncated: retention passed the copy
 *   p = start                                        Unverifiable: retention reached the copy;
 *                                                    nothing that it needs is missing
 *   start &lt; p &lt;= end, the record at p - 1 is
 *     the operation nextSeqNo - 1 of fenceTerm       Continues
 *     the fence of fenceTerm                         Continues
 *     one of these with another timestamp            Lost: a term was given again after the
 *                                                    cluster log was restored, too
 *     anything else, or none                         Lost: other records were written instead
 * </pre>
 *
 * A copy may serve and append after {@code Continues} and {@code Unverifiable} only. {@code
 * Truncated} is no loss: such a copy can be filled from elsewhere.
 *
 * <p>A position that was written by an earlier version has no timestamp; then offset, term and
 * seq_no decide.
 */
public final class LogContinuity {

  /** What was decided. */
  public sealed interface Outcome {

    /** The record before the position is the one that was applied. */
    record Continues() implements Outcome {}

    /** There is no record before the position any more. */
    record Unverifiable() implements Outcome {}

    /** Records that the copy lacks were removed by retention. */
    record Truncated(String reason) implements Outcome {}

    /** The partition no longer holds what was applied. */
    record Lost(String reason) implements Outcome {}
  }

  private static final Outcome CONTINUES = new Outcome.Continues();

  private LogContinuity() {}

  /**
   * Reads what is needed, and decides.
   *
   * @throws LogException.Unavailable the log could not be read
   */
  public static Outcome check(PartitionLog log, LogPosition position)
      throws LogException.Unavailable {
    long next = position.nextOffset();
    long end = log.endOffset();
    boolean readable = next > 0 && next <= end;
    StoredRecord[] before = {null};
    if (readable) {
      try {
        log.read(next - 1, next, stored -> before[0] = stored);
        return judge(position, next - 1, end, before[0]);
      } catch (LogException.Unavailable e) {
        throw e;
      } catch (LogException e) {
        // The start has passed it, or else the log has changed since it was asked for its end.
      }
    }
    long start = end == 0 ? 0 : log.startOffset();
    if (readable && start < next) {
      throw new LogException.Unavailable("the log changed while it was verified");
    }
    return judge(position, start, end, null);
  }

  /**
   * The same, for a copy that can't go on without all records from its position on.
   *
   * @throws LogException.Lost the partition no longer holds what was applied
   * @throws LogException.OutOfRange records that the copy lacks were removed by retention
   */
  public static void require(PartitionLog log, LogPosition position) throws LogException {
    switch (check(log, position)) {
      case Outcome.Continues _, Outcome.Unverifiable _ -> {}
      case Outcome.Truncated(String reason) -> throw new LogException.OutOfRange(reason);
      case Outcome.Lost(String reason) -> throw new LogException.Lost(log, reason);
    }
  }

  /**
   * Requires only that nothing was lost: records that retention removed can be had elsewhere.
   *
   * @throws LogException.Lost the partition no longer holds what was applied
   */
  public static void requireNotLost(PartitionLog log, LogPosition position) throws LogException {
    boolean applied = position.nextOffset() > 0;
    if (applied && check(log, position) instanceof Outcome.Lost(String reason)) {
      throw new LogException.Lost(log, reason);
    }
  }

  /**
   * The same for a position inside the partition whose record before it was read: {@code before},
   * or {@code null} if the position is 0.
   *
   * @throws LogException.Lost the partition no longer holds what was applied
   */
  public static void requireNotLost(
      PartitionLog log, LogPosition position, long endOffset, @Nullable StoredRecord before)
      throws LogException.Lost {
    if (judge(position, 0, endOffset, before) instanceof Outcome.Lost(String reason)) {
      throw new LogException.Lost(log, reason);
    }
  }

  /**
   * Decides.
   *
   * @param before the record at {@code nextOffset - 1}, {@code null} if there is none
   */
  public static Outcome judge(
      LogPosition position, long startOffset, long endOffset, @Nullable StoredRecord before) {
    long next = position.nextOffset();
    if (next > endOffset) {
      return new Outcome.Lost(
          "this copy has applied everything up to offset "
              + (next - 1)
              + " ("
              + expected(position)
              + "), but the log ends at offset "
              + endOffset);
    }
    if (next < startOffset) {
      return new Outcome.Truncated(
          "the log begins at offset " + startOffset + ", this copy needs it from " + next);
    }
    if (next == 0) {
      return CONTINUES;
    }
    return next == startOffset ? new Outcome.Unverifiable() : identity(position, before, endOffset);
  }

  private static Outcome identity(
      LogPosition position, @Nullable StoredRecord before, long endOffset) {
    String found = before == null ? "no record" : difference(position, before);
    return found == null
        ? CONTINUES
        : new Outcome.Lost(
            "this copy has applied "
                + expected(position)
                + " at offset "
                + (position.nextOffset() - 1)
                + ", but the log holds "
                + found
                + " there; the log ends at offset "
                + endOffset);
  }

  /** What the record is instead of the one that was applied; {@code null} if it is that one. */
  private static @Nullable String difference(LogPosition position, StoredRecord before) {
    if (before.record().header().length == 0) {
      return "a record of another producer";
    }
    RecordHeader header;
    try {
      header = RecordHeader.read(before.record().header());
    } catch (MalformedRecordException e) {
      return "a record that this version can't read (" + e.getMessage() + ")";
    }
    boolean same =
        header.term() == position.fenceTerm()
            && (header.kind() == RecordHeader.Kind.FENCE
                || header.seqNo() == position.nextSeqNo() - 1);
    if (!same) {
      return described(header);
    }
    boolean otherTime =
        position.lastRecordMillis() != LogPosition.UNKNOWN
            && position.lastRecordMillis() != before.timestampMillis();
    return otherTime ? described(header) + " with timestamp " + before.timestampMillis() : null;
  }

  private static String described(RecordHeader header) {
    return header.kind() == RecordHeader.Kind.FENCE
        ? "the fence of term " + header.term()
        : "seq_no " + header.seqNo() + " of term " + header.term();
  }

  private static String expected(LogPosition position) {
    String record =
        position.nextSeqNo() == 0
            ? "the fence of term " + position.fenceTerm()
            : "seq_no "
                + (position.nextSeqNo() - 1)
                + " of term "
                + position.fenceTerm()
                + ", or the fence of that term";
    return position.lastRecordMillis() == LogPosition.UNKNOWN
        ? record
        : record + " with timestamp " + position.lastRecordMillis();
  }
}
