package io.varve.cluster;

/**
 * The retention of an index's operations in the log.
 *
 * @param shortened whether operations that are no longer needed are deleted
 * @param minCopies nodes that must have an operation durably before it is deleted, without a
 *     segment store
 * @param graceMillis time for which a copy whose node left retains operations
 * @param leasePeriodMillis time for which a follower's lease that is not renewed retains operations
 * @param leaseMaxBytes of the log that a follower's lease may retain; -1 for no limit
 */
public record LogRetention(
    boolean shortened,
    int minCopies,
    long graceMillis,
    long leasePeriodMillis,
    long leaseMaxBytes) {

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
