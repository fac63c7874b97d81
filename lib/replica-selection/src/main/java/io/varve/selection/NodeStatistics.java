package io.varve.selection;

import java.util.Optional;

/**
 * What a coordinator knows of one node, for {@code _nodes/stats}.
 *
 * @param outgoingSearches own shard requests there now
 * @param averages smoothed answers; empty before the first
 * @param adaptive what the adaptive strategy adds
 */
public record NodeStatistics(
    long outgoingSearches, Optional<Averages> averages, Adaptive adaptive) {

  /**
   * @param rank by the formula that is set, in milliseconds
   */
  public record Averages(
      long queueSize, long serviceTimeNanos, long responseTimeNanos, double rank) {}

  /**
   * @param slowness execution time by expected time, negative while unknown
   * @param inFlight estimated requests on the node, of all coordinators
   * @param cost expected time to complete in multiples of the expected time, negative while unknown
   * @param backOffNanos how much longer the node is left alone
   * @param sent requests by purpose and how they ended
   */
  public record Adaptive(
      double slowness, long inFlight, double cost, long backOffNanos, Counts sent) {}

  /** Since the coordinator knows the node. */
  public record Counts(
      long requests, long hedges, long shadows, long probes, long failures, long lost) {}
}
