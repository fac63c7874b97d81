package io.varve.shard.replicated;

/**
 * Limits the records per second of all re-replication jobs on a node: n records that are taken now
 * delay the next ones by n / rate seconds. Unused time does not accumulate, so there are no bursts.
 * Thread-safe.
 */
final class RequestBucket {

  private long freeNanos = Long.MIN_VALUE;

  /**
   * Takes that many records.
   *
   * @param perSecond not limited if it is not positive
   * @return how long the caller must wait before it begins with them
   */
  synchronized long take(int records, long perSecond, long nowNanos) {
    if (perSecond <= 0) {
      freeNanos = nowNanos;
      return 0;
    }
    long beginNanos = Math.max(freeNanos, nowNanos);
    freeNanos = beginNanos + (long) (records * 1e9 / perSecond);
    return beginNanos - nowNanos;
  }
}
