package io.varve.ccr;

/**
 * The schedule of a follower's lease renewals: one before the first operation is read, then one per
 * interval, even while the follower is idle. A failed renewal also starts a new interval, because
 * the lease is valid for longer than that. No I/O. Used by one thread.
 */
public final class LeaseSchedule {

  private long renewedMillis = -1;

  public boolean isDue(long nowMillis, long intervalMillis) {
    return renewedMillis < 0 || nowMillis - renewedMillis >= intervalMillis;
  }

  public void renewed(long nowMillis) {
    renewedMillis = nowMillis;
  }
}
