package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a shard's puller, with the terms of {@code GET /_ccr/stats}. Counters start with the
 * process.
 *
 * @param leaderGlobalCheckpoint the highest accepted seq_no read from the leader's log, plus the
 *     records from it to the log's end, which count as operations; -1 for none
 * @param followerGlobalCheckpoint the highest seq_no up to which the follower's primary has applied
 *     all operations, -1 for none
 * @param lagMillis time since the follower last provably held all operations of the leader's log; a
 *     lower bound until this is proven for the first time since the puller started
 * @param lastRequestedSeqNo the highest accepted seq_no read from the leader's log, -1 for none
 * @param lastError empty if the last attempt succeeded
 * @param activity null from a node of an older release
 * @param refused the operation that the follower refuses and that an operator can skip; null if
 *     there is none
 */
public record PullerStats(
    String indexUuid,
    int shardId,
    String state,
    long leaderGlobalCheckpoint,
    long leaderMaxSeqNo,
    long followerGlobalCheckpoint,
    long followerMaxSeqNo,
    long lastRequestedSeqNo,
    long operationsRead,
    long operationsWritten,
    long bytesRead,
    long successfulReadRequests,
    long successfulWriteRequests,
    long failedWriteRequests,
    long followerMappingVersion,
    long leaderLogEndOffset,
    long leaderReadOffset,
    long lagMillis,
    long timeSinceLastReadMillis,
    String lastError,
    @Nullable Activity activity,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Refused refused) {

  /** An operation of the leader, by its offset in the leader's log. */
  public record Refused(long leaderOffset, long seqNo) {}

  /**
   * The work that the puller has in progress, and further counters.
   *
   * @param outstandingReads reads whose operations the follower does not hold yet
   * @param bufferedOperations operations that are read and not sent yet
   * @param readMillis time spent waiting for operations
   * @param failedReads attempts that ended because the leader could not be read
   * @param retries failed attempts since the last one that succeeded
   * @param duplicatesSkipped operations that the follower held already when they were sent
   * @param gapsDetected requests that the primary refused because operations before them were
   *     missing
   */
  public record Activity(
      long outstandingReads,
      long outstandingWrites,
      long bufferedOperations,
      long bufferedBytes,
      long readMillis,
      long writeMillis,
      long failedReads,
      long retries,
      long lagBytes,
      long duplicatesSkipped,
      long gapsDetected) {

    public static final Activity NONE = new Activity(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** The same report with another last error. */
  public PullerStats withLastError(String error) {
    return new PullerStats(
        indexUuid,
        shardId,
        state,
        leaderGlobalCheckpoint,
        leaderMaxSeqNo,
        followerGlobalCheckpoint,
        followerMaxSeqNo,
        lastRequestedSeqNo,
        operationsRead,
        operationsWritten,
        bytesRead,
        successfulReadRequests,
        successfulWriteRequests,
        failedWriteRequests,
        followerMappingVersion,
        leaderLogEndOffset,
        leaderReadOffset,
        lagMillis,
        timeSinceLastReadMillis,
        error,
        activity,
        refused);
  }

  /** Operations that the leader has and the follower lacks. */
  public long lagOperations() {
    return Math.max(0, leaderMaxSeqNo - followerMaxSeqNo);
  }
}
