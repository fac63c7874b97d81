package io.varve.shard.primary;

/**
 * Computes when a primary does its periodic work next: as soon as a refresh is due, and at least
 * once a second.
 *
 * <pre>
 *   the interval is negative                  in a second: there are no periodic refreshes
 *   a refresh will be due, an interval after  then
 *   the end of the last one
 *   a refresh is due already                  in an interval, but not sooner than in 20 ms: there is
 *                                             nothing to show, or a refresh runs or waits for its turn
 * </pre>
 *
 * Documents that are written continuously therefore become visible after the interval plus the
 * duration of a refresh. If the work were done at the interval itself, it would always run just
 * before the refresh is due, and documents would become visible after twice the interval.
 */
final class UpkeepDelay {

  private static final long LONGEST_MILLIS = 1000;
  private static final long SHORTEST_MILLIS = 20;

  private UpkeepDelay() {}

  /**
   * In milliseconds.
   *
   * @param intervalMillis between refreshes; negative for none
   * @param lastRefreshMillis the end of the last refresh, on the clock of {@code nowMillis}
   */
  static long millis(long intervalMillis, long lastRefreshMillis, long nowMillis) {
    if (intervalMillis < 0) {
      return LONGEST_MILLIS;
    }
    long left = lastRefreshMillis + intervalMillis - nowMillis;
    return left > 0
        ? Math.min(left, LONGEST_MILLIS)
        : Math.clamp(intervalMillis, SHORTEST_MILLIS, LONGEST_MILLIS);
  }
}
