package io.varve.cluster;

/**
 * How long the log keeps an index's operations.
 *
 * @param shortened whether operations that nobody needs are deleted
 * @param minCopies nodes that must hold an operation durably before it is deleted, when there is no
 *     segment store
 * @param graceMillis for how long a copy that lost its node still counts
 * @param leasePeriodMillis for how long the lease of a follower counts that is not renewed
 */
public record LogRetention(
    boolean shortened, int minCopies, long graceMillis, long leasePeriodMillis) {

  public LogRetention {
    if (minCopies < 1 || graceMillis < 0 || leasePeriodMillis < 0) {
      throw new IllegalArgumentException(
          "min_copies must be >= 1 and periods >= 0 ms, were "
              + minCopies
              + ", "
              + graceMillis
              + ", "
              + leasePeriodMillis);
    }
  }
}
