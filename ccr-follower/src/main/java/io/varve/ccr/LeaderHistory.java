package io.varve.ccr;

import io.varve.events.Operation;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ReplicateWire;
import java.util.Objects;

/**
 * Decides whether a leader's log still holds the history that a follower pulled, given the last
 * record that the follower holds.
 *
 * <pre>
 *   the log holds that record at its offset                             Same
 *   retention removed that record and no later one                      Same
 *   the follower holds nothing and the log begins at its first record   Same
 *   the log holds another record there, or ends before it               Lost: restored, or its tail
 *                                                                       was lost
 *   retention removed records that the follower lacks                   Lost
 *   the log holds an operation of a term whose fence is before the
 *   last record held, and was not read                                  Lost: restored
 * </pre>
 *
 * Records are compared by offset, term, seq_no and {@link io.varve.events.RecordDigest}. The digest
 * is needed because the other three may repeat: a restored cluster log assigns the same terms
 * again. The leader's own copies follow the same rules, in {@link LogContinuity}.
 */
public final class LeaderHistory {

  /** The result of a comparison. */
  public sealed interface Outcome {

    /** The log continues the history that the follower holds. */
    record Same() implements Outcome {}

    /** No operation of this log may be sent to the follower. */
    record Lost(String reason) implements Outcome {}
  }

  private static final Outcome SAME = new Outcome.Same();

  private LeaderHistory() {}

  /** The position after the last record that the follower holds. */
  static LogPosition after(ReplicateWire.Cursor cursor) {
    Long digest = cursor.lastOriginDigest();
    return cursor.lastOriginOffset() < 0
        ? new LogPosition(0, 0, 0)
        : new LogPosition(
            cursor.lastOriginOffset() + 1,
            cursor.nextSeqNo(),
            cursor.lastOriginTerm(),
            LogPosition.UNKNOWN,
            digest == null ? LogPosition.UNKNOWN : digest);
  }

  /** The position after an operation that was sent with its origin. */
  static LogPosition after(Operation carried) {
    Operation.Origin origin = Objects.requireNonNull(carried.origin(), "origin");
    return new LogPosition(
        origin.offset() + 1,
        carried.seqNo() + 1,
        origin.term(),
        LogPosition.UNKNOWN,
        origin.digest());
  }

  /**
   * Reads the bounds of the log and the last record held, and compares.
   *
   * @throws LogException.Unavailable the log could not be read
   */
  public static Outcome check(PartitionLog log, LogPosition held) throws LogException.Unavailable {
    return switch (LogContinuity.check(log, held)) {
      case LogContinuity.Outcome.Continues _, LogContinuity.Outcome.Unverifiable _ -> SAME;
      case LogContinuity.Outcome.Truncated(String reason) -> new Outcome.Lost(reason);
      case LogContinuity.Outcome.Lost(String reason) -> new Outcome.Lost(reason);
    };
  }

  /** Describes an operation of a term whose fence was not read. */
  static Outcome.Lost fenceMissed(StoredRecord operation) {
    RecordHeader header = RecordHeader.read(operation.record().header());
    return new Outcome.Lost(
        "the log holds seq_no %d of term %d at offset %d, but no fence of that term was read"
            .formatted(header.seqNo(), header.term(), operation.offset()));
  }
}
