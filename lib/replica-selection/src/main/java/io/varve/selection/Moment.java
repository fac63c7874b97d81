package io.varve.selection;

/**
 * A point in time of a coordinator.
 *
 * @param nowNanos of the monotonic clock
 * @param witnessedNanos latest time at which the coordinator was known to run: silence of a node
 *     while the coordinator was paused does not count
 * @param probeTimeoutNanos maximum time for which a probe may be unanswered
 */
record Moment(long nowNanos, long witnessedNanos, long probeTimeoutNanos) {}
