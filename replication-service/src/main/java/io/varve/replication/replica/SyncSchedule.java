package io.varve.replication.replica;

/**
 * Decides when a segment replica makes its files durable.
 *
 * <pre>
 *   nothing new is shown    never
 *   something new is shown  one interval after the first that is not durable
 *   a sync is running       not before it has ended
 *   a sync has failed       one interval after its end
 * </pre>
 *
 * <p>No threads and no clock. Not thread-safe.
 */
final class SyncSchedule {

  /** Returned by {@link #millisUntilDue} if no sync is due at all. */
  static final long NEVER = Long.MAX_VALUE;

  private final long intervalMillis;
  private long unsyncedSinceMillis = -1;
  private boolean underWay;

  SyncSchedule(long intervalMillis) {
    this.intervalMillis = intervalMillis;
  }

  /** A manifest is shown whose files may not be durable. */
  void shown(long nowMillis) {
    if (unsyncedSinceMillis < 0) {
      unsyncedSinceMillis = nowMillis;
    }
  }

  long millisUntilDue(long nowMillis) {
    return unsyncedSinceMillis < 0 || underWay
        ? NEVER
        : Math.max(0, unsyncedSinceMillis + intervalMillis - nowMillis);
  }

  /** Begins a sync, even before it is due. Returns false if everything shown is durable. */
  boolean begin() {
    if (underWay) {
      throw new IllegalStateException("a sync is under way");
    }
    underWay = unsyncedSinceMillis >= 0;
    unsyncedSinceMillis = -1;
    return underWay;
  }

  void ended(boolean durable, long nowMillis) {
    if (!underWay) {
      throw new IllegalStateException("no sync is under way");
    }
    underWay = false;
    if (!durable) {
      shown(nowMillis);
    }
  }
}
