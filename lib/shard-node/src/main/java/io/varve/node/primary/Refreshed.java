package io.varve.node.primary;

/** What searches on a primary see after a refresh. */
public record Refreshed(long term, long generation, long visibleSeqNo) {}
