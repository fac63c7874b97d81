package io.varve.shard.primary;

/** What searches on a primary see after a refresh. */
public record Refreshed(long term, long generation, long visibleSeqNo) {}
