package io.varve.rpc;

/**
 * How far a shard's puller is, in the terms of {@code GET /_ccr/stats}; all numbers since its
 * process started.
 *
 * @param leaderGlobalCheckpoint the highest seq_no accepted in the leader's log that was read here,
 *     -1 for none
 * @param followerGlobalCheckpoint the highest seq_no up to which the follower's primary has applied
 *     all, -1 for none
 * @param lagMillis how long ago the newest operation held was appended at the leader, 0 when
 *     nothing is outstanding
 * @param lastError empty when the last attempt succeeded
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
    String lastError) {}
