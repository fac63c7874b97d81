package io.varve.shard.primary;

/** The state of a primary that searches see after a refresh. */
public record Refreshed(long term, long generation, long visibleSeqNo) {}
