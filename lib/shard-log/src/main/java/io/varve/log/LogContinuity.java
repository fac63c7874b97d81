package io.varve.log;

import io.varve.events.MalformedRecordException;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a partition still holds the history that a copy applied up to its position {@code
 * p}.
 *
 * <pre>
 *   p = 0 = start                                    Continues: nothing was applied yet
 *   p &gt; end                                          Lost: the log lost its tail
 *   p &lt; start                                        Truncated: retention removed records it lacks
 *   p = start                                        Unverifiable: retention removed record p - 1;
 *                                                    no record is missing
 *   start &lt; p &lt;= end, the record at p - 1 is
 *     the operation nextSeqNo - 1 of fenceTerm       Continues
 *     the fence of fenceTerm                         Continues
 *     a record with an unknown header, but with
 *       the digest of the one that was applied       Continues
 *     one of these with another timestamp or digest  Lost: a term was assigned again after the
 *                                                    cluster log was also restored
 *     any other record, or none                      Lost: other records were written instead
 *
 *   Lost, and the log begins with a revival of a
 *   later term than the position's                   Truncated: the shard was revived
 * </pre>
 *
 * A copy may serve and append only after {@code Continues} and {@code Unverifiable}. {@code
 * Truncated} is not data loss: such a copy can be filled from another source.
 *
 * <p>If a position lacks the timestamp, the digest or both, its other fields decide.
 */
public final class LogContinuity {

  public sealed interface Outcome {

    /** The record before the position is the one that was applied. */
    record Continues() implements Outcome {}

    /** The record before the position was removed by retention. */
    record Unverifiable() implements Outcome {}

    /** Retention removed records that the copy lacks. */
    record Truncated(String reason) implements Outcome {}

    /** The partition no longer holds the applied records. */
    record Lost(String reason) implements Outcome {}
  }

  private static final Outcome CONTINUES = new Outcome.Continues();

  private LogContinuity() {}

  /**
   * Reads the partition's bounds and the record before the position, and decides.
   *
   * @throws LogException.Unavailable if the log could not be read
   */
  public static Outcome check(PartitionLog log, LogPosition position)
      throws LogException.Unavailable {
    Outcome outcome = compare(log, position);
    return outcome instanceof Outcome.Lost ? orRevived(log, position, outcome) : outcome;
  }

  /**
   * After the shard was revived, operations that counted as lost can be copied from another copy.
   */
  private static Outcome orRevived(PartitionLog log, LogPosition position, Outcome lost)
      throws LogException.Unavailable {
    try {
      long revivedTerm = LogBeginning.of(log).revivedTerm();
      return revivedTerm > position.fenceTerm()
          ? new Outcome.Truncated(
              "the shard was revived in term "
                  + revivedTerm
                  + ", this copy is of term "
                  + position.fenceTerm())
          : lost;
    } catch (LogException.Unavailable e) {
      throw e;
    } catch (LogException e) {
      throw new LogException.Unavailable("the log changed while it was verified");
    }
  }

  private static Outcome compare(PartitionLog log, LogPosition position)
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
        // Either retention has passed the position, or the log changed after its end was read.
      }
    }
    long start = end == 0 ? 0 : log.startOffset();
    if (readable && start < next) {
      throw new LogException.Unavailable("the log changed while it was verified");
    }
    return judge(position, start, end, null);
  }

  /**
   * For a copy that needs every record from its position on.
   *
   * @throws LogException.Lost if the partition no longer holds the applied records
   * @throws LogException.OutOfRange if retention removed records that the copy lacks
   */
  public static void require(PartitionLog log, LogPosition position) throws LogException {
    switch (check(log, position)) {
      case Outcome.Continues _, Outcome.Unverifiable _ -> {}
      case Outcome.Truncated(String reason) -> throw new LogException.OutOfRange(reason);
      case Outcome.Lost(String reason) -> throw new LogException.Lost(log, reason);
    }
  }

  /**
   * For a copy that can obtain records removed by retention from another source.
   *
   * @throws LogException.Lost if the partition no longer holds the applied records
   */
  public static void requireNotLost(PartitionLog log, LogPosition position) throws LogException {
    boolean applied = position.nextOffset() > 0;
    if (applied && check(log, position) instanceof Outcome.Lost(String reason)) {
      throw new LogException.Lost(log, reason);
    }
  }

  /**
   * For a caller that has already read the record before the position.
   *
   * @param before that record, {@code null} if the position is 0
   * @throws LogException.Lost if the partition no longer holds the applied records
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

  /** Describes the record if it is not the one that was applied; otherwise {@code null}. */
  private static @Nullable String difference(LogPosition position, StoredRecord before) {
    if (before.record().header().length == 0) {
      return "a record of another producer";
    }
    RecordHeader header;
    try {
      header = RecordHeader.read(before.record().header());
    } catch (MalformedRecordException e) {
      return position.lastRecordDigest() == RecordDigest.of(before)
          ? null
          : "a record that this version can't read (" + e.getMessage() + ")";
    }
    boolean same =
        header.term() == position.fenceTerm()
            && (header.kind() != RecordHeader.Kind.DATA
                || header.seqNo() == position.nextSeqNo() - 1);
    if (!same) {
      return described(header);
    }
    boolean otherTime =
        position.lastRecordMillis() != LogPosition.UNKNOWN
            && position.lastRecordMillis() != before.timestampMillis();
    if (otherTime) {
      return described(header) + " with timestamp " + before.timestampMillis();
    }
    boolean otherDigest =
        position.lastRecordDigest() != LogPosition.UNKNOWN
            && position.lastRecordDigest() != RecordDigest.of(before);
    return otherDigest ? described(header) + " with another digest" : null;
  }

  private static String described(RecordHeader header) {
    return switch (header.kind()) {
      case FENCE -> "the fence of term " + header.term();
      case REVIVAL -> "the revival of term " + header.term();
      case DATA -> "seq_no " + header.seqNo() + " of term " + header.term();
    };
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
