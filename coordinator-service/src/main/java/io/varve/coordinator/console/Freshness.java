package io.varve.coordinator.console;

import io.varve.process.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Determines which reports are overdue. A sender puts a new stamp on each report; a report is
 * overdue if its stamp has not changed for {@link #OVERDUE_NANOS}. Clocks of other machines are not
 * compared, so a report counts as new when it is seen for the first time.
 *
 * <p>Thread-safe.
 */
final class Freshness {

  /** Three intervals of heartbeats and progress reports. */
  static final long OVERDUE_NANOS = 3_000_000_000L;

  private record Stamp(long value, long sinceNanos) {}

  private final Ticker clock;
  private final Map<String, Stamp> stamps = new HashMap<>();

  Freshness(Ticker clock) {
    this.clock = clock;
  }

  /** Whether the newest report of {@code sender}, which has this stamp, is overdue. */
  synchronized boolean isOverdue(String sender, long stamp) {
    long now = clock.nanos();
    Stamp known = stamps.get(sender);
    if (known == null || known.value() != stamp) {
      stamps.put(sender, new Stamp(stamp, now));
      return false;
    }
    return now - known.sinceNanos() > OVERDUE_NANOS;
  }

  /** Forgets all other senders. */
  synchronized void retain(Set<String> senders) {
    stamps.keySet().retainAll(senders);
  }
}
