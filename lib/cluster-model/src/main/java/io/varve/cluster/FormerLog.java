package io.varve.cluster;

import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogOperations;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import java.util.Optional;

/**
 * Decides whether the log of a former leader's shard holds all operations up to the fork, so that a
 * failback can replay it.
 *
 * <pre>
 *   the record of the fork is at its offset, or the fork is before any
 *     operation, and
 *     the log begins with the shard's first operation                   Whole
 *     retention removed the first records, or the index was restored
 *       from the segment store                                          Incomplete
 *   retention removed the record of the fork                            Incomplete
 *   another record is at that offset, or the log ends before it: the
 *     log was restored, or lost its tail                                Diverged
 * </pre>
 */
public final class FormerLog {

  /** The result of a check. */
  public sealed interface Check {

    /** The log can be replayed up to the fork. */
    record Whole() implements Check {}

    /**
     * The log lacks operations before the fork; the promoted index has them.
     *
     * @param hasFork whether the log has all records from some operation up to the fork, so that it
     *     can be replayed from a pinned commit on
     */
    record Incomplete(String reason, boolean hasFork) implements Check {}

    /** This is not the log that the follower pulled; its operations differ before the fork. */
    record Diverged(String reason) implements Check {}
  }

  private FormerLog() {}

  /**
   * Reads the bounds of the log, its first operation and the record of the fork.
   *
   * @throws LogException.Unavailable if the log could not be read
   */
  public static Check check(PartitionLog log, ForkPlace fork) throws LogException.Unavailable {
    if (fork.leaderOffset() < 0) {
      return beginning(log, false);
    }
    return switch (LogContinuity.check(log, position(fork))) {
      case LogContinuity.Outcome.Continues _ -> beginning(log, true);
      case LogContinuity.Outcome.Unverifiable _ ->
          new Check.Incomplete(
              "its log no longer has the record at offset " + fork.leaderOffset(), false);
      case LogContinuity.Outcome.Truncated(String reason) -> new Check.Incomplete(reason, false);
      case LogContinuity.Outcome.Lost(String reason) -> new Check.Diverged(reason);
    };
  }

  private static Check beginning(PartitionLog log, boolean hasFork)
      throws LogException.Unavailable {
    long startOffset = log.startOffset();
    if (startOffset > 0) {
      return new Check.Incomplete("its log begins at offset " + startOffset, hasFork);
    }
    Optional<RecordHeader> first = first(log);
    return first.isPresent() && first.get().seqNo() > 0
        ? new Check.Incomplete("its log begins with seq_no " + first.get().seqNo(), hasFork)
        : new Check.Whole();
  }

  /**
   * The reason why operations after the fork can't be put in quarantine: only segments have them;
   * empty if the log has all of them.
   *
   * @param heldSeqNo the highest seq_no up to which the quarantine has all operations after the
   *     fork; -1 for none
   * @throws LogException.Unavailable if the log could not be read
   */
  public static Optional<String> lostAfterFork(PartitionLog log, ForkPlace fork, long heldSeqNo)
      throws LogException.Unavailable {
    long neededSeqNo = Math.max(fork.seqNo(), heldSeqNo) + 1;
    Optional<RecordHeader> first = first(log);
    if (first.isEmpty() && log.startOffset() > fork.leaderOffset() + 1) {
      return Optional.of(
          "its log has no operation; its segments may have some that were written after its"
              + " follower was promoted");
    }
    return first
        .filter(header -> header.seqNo() > neededSeqNo)
        .map(header ->
            "its log begins with seq_no "
                + header.seqNo()
                + "; only its segments have the operations from "
                + neededSeqNo
                + " on, which were written after its follower was promoted");
  }

  private static Optional<RecordHeader> first(PartitionLog log) throws LogException.Unavailable {
    try {
      return LogOperations.first(log);
    } catch (LogException.Unavailable e) {
      throw e;
    } catch (LogException e) {
      throw new LogException.Unavailable("the log changed while it was read: " + e.getMessage());
    }
  }

  private static LogPosition position(ForkPlace fork) {
    Long digest = fork.leaderDigest();
    return new LogPosition(
        fork.leaderOffset() + 1,
        fork.seqNo() + 1,
        fork.leaderTerm(),
        LogPosition.UNKNOWN,
        digest == null ? RecordDigest.UNKNOWN : digest);
  }
}
