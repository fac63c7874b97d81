package io.varve.shard.primary;

import java.util.concurrent.atomic.AtomicLong;

/** Records when the oldest operation was applied that no refresh has made visible. */
final class UnshownSince {

  private static final long NOTHING = 0;

  private final AtomicLong sinceMillis = new AtomicLong(NOTHING);

  void applied(long nowMillis) {
    if (sinceMillis.get() == NOTHING) {
      sinceMillis.compareAndSet(NOTHING, nowMillis);
    }
  }

  /**
   * A refresh begins that makes all operations so far visible. Returns the value to restore if it
   * fails.
   */
  long showing() {
    return sinceMillis.getAndSet(NOTHING);
  }

  void notShown(long beforeMillis) {
    if (beforeMillis != NOTHING) {
      sinceMillis.accumulateAndGet(
          beforeMillis, (now, before) -> now == NOTHING ? before : Math.min(now, before));
    }
  }

  /** The age of the oldest operation that is not visible, 0 for none. */
  long ageMillis(long nowMillis) {
    long since = sinceMillis.get();
    return since == NOTHING ? 0 : Math.max(0, nowMillis - since);
  }
}
