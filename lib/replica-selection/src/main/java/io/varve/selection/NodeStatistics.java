package io.varve.selection;

import java.util.Optional;

/**
 * A coordinator's statistics of one node, for {@code _nodes/stats}.
 *
 * @param outgoingSearches this coordinator's shard requests in flight
 * @param averages smoothed answers; empty before the first
 * @param adaptive statistics of the adaptive strategy
 */
public record NodeStatistics(
    long outgoingSearches, Optional<Averages> averages, Adaptive adaptive) {

  /**
   * @param rank by the configured formula, in milliseconds
   */
  public record Averages(
      long queueSize, long serviceTimeNanos, long responseTimeNanos, double rank) {}

  /**
   * @param slowness execution time relative to the expected time, negative while unknown
   * @param inFlight estimated requests on the node, of all coordinators
   * @param cost expected completion time in multiples of the expected time, negative while unknown
   * @param backOffNanos remaining time of the suspension
   * @param sent requests by purpose, and their outcomes
   */
  public record Adaptive(
      double slowness, long inFlight, double cost, long backOffNanos, Counts sent) {}

  /** Counters since the coordinator has known the node. */
  public record Counts(
      long requests, long hedges, long shadows, long probes, long failures, long lost) {}
}
