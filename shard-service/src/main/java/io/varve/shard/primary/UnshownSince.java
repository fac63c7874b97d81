package io.varve.shard.primary;

import java.util.concurrent.atomic.AtomicLong;

/** When the oldest operation was applied that no refresh has shown. */
final class UnshownSince {

  private static final long NOTHING = 0;

  private final AtomicLong sinceMillis = new AtomicLong(NOTHING);

  void applied(long nowMillis) {
    if (sinceMillis.get() == NOTHING) {
      sinceMillis.compareAndSet(NOTHING, nowMillis);
    }
  }

  /** A refresh begins, which shows all so far; returns what is given back if it fails. */
  long showing() {
    return sinceMillis.getAndSet(NOTHING);
  }

  void notShown(long beforeMillis) {
    if (beforeMillis != NOTHING) {
      sinceMillis.accumulateAndGet(
          beforeMillis, (now, before) -> now == NOTHING ? before : Math.min(now, before));
    }
  }

  /** The age of the oldest that is not shown, 0 for none. */
  long ageMillis(long nowMillis) {
    long since = sinceMillis.get();
    return since == NOTHING ? 0 : Math.max(0, nowMillis - since);
  }
}
