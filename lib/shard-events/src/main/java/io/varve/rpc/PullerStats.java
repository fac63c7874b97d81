package io.varve.rpc;

/**
 * Progress of a shard's puller, in the terms of {@code GET /_ccr/stats}; counters since its process
 * started.
 *
 * @param leaderGlobalCheckpoint the highest accepted seq_no read from the leader's log, -1 for none
 * @param followerGlobalCheckpoint the highest seq_no up to which the follower's primary has applied
 *     all operations, -1 for none
 * @param lagMillis time since the last moment at which the follower provably held all that the
 *     leader's log had; a lower bound until that is proven once since the puller started
 * @param lastError empty if the last attempt succeeded
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
