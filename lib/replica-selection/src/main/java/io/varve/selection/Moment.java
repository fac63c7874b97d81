package io.varve.selection;

/**
 * A point in time as a coordinator sees it.
 *
 * @param nowNanos of the monotonic clock
 * @param witnessedNanos until when the coordinator was awake: a node wasn't silent while nobody
 *     could hear it
 * @param patienceNanos how long a probe may be unanswered
 */
record Moment(long nowNanos, long witnessedNanos, long patienceNanos) {}
