package io.varve.standalone.link;

/**
 * One direction of a link. All its connections share the rate: bytes that are sent while the wire
 * is busy are queued in order.
 *
 * <pre>
 *   sent = max(now, end of what was sent before) + bits / rate
 * </pre>
 */
final class LinkDirection {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long bitsPerSecond;
  private long busyUntilNanos;
  private boolean used;

  LinkDirection(long bitsPerSecond) {
    this.bitsPerSecond = bitsPerSecond;
  }

  /** Sends bytes; returns the time at which the last of them has been sent. */
  synchronized long send(long nowNanos, int bytes) {
    if (bitsPerSecond == 0) {
      return nowNanos;
    }
    long start = used && busyUntilNanos - nowNanos > 0 ? busyUntilNanos : nowNanos;
    used = true;
    busyUntilNanos = start + Math.round(bytes * 8L * NANOS_PER_SECOND / bitsPerSecond);
    return busyUntilNanos;
  }
}
