package io.varve.testkit.sim;

import io.varve.events.ShardId;

/**
 * What a copy tells the coordinators through the log: like production's record, with the place from
 * which it would have to replay, and the first offset that it still needs of another cluster's log.
 */
record Progress(
    String copyId,
    String nodeId,
    ShardId shard,
    boolean primary,
    long incarnation,
    boolean started,
    long appliedSeqNo,
    long committedOffset,
    long originOffset) {}
