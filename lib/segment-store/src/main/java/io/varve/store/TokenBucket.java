package io.varve.store;

/**
 * A rate limit in bytes per second with a burst of one second. A reservation may exceed the tokens;
 * its caller waits until the debt is earned, so the rate holds over time for any sizes. The rate
 * may change at any time: existing reservations are then earned at the new rate.
 *
 * <pre>
 *   earned(t)    = min(reserved + rate, earned(t0) + rate * (t - t0))
 *   reserve(n):    reserved += n;  position = reserved
 *   wait(position) = max(0, position - earned) / rate
 * </pre>
 *
 * A rate of 0 is no limit. Not thread-safe.
 */
public final class TokenBucket {

  private static final double NANOS_PER_SECOND = 1e9;

  private double bytesPerSecond;
  private double reserved;
  private double earned;
  private long lastNanos;

  public TokenBucket(long bytesPerSecond, long nowNanos) {
    this.bytesPerSecond = requireRate(bytesPerSecond);
    this.earned = bytesPerSecond;
    this.lastNanos = nowNanos;
  }

  private static long requireRate(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("bytes per second must be >= 0, was " + bytesPerSecond);
    }
    return bytesPerSecond;
  }

  /** Changes the rate from now on. */
  public void rate(long newBytesPerSecond, long nowNanos) {
    earn(nowNanos);
    if (bytesPerSecond == 0) {
      earned = reserved;
    }
    bytesPerSecond = requireRate(newBytesPerSecond);
    earned = Math.min(earned, reserved + bytesPerSecond);
  }

  /** Reserves bytes; returns the position that must be earned before they may be moved. */
  public double reserve(long bytes, long nowNanos) {
    earn(nowNanos);
    reserved += bytes;
    return reserved;
  }

  /** The time until the position is earned, at the current rate. */
  public long nanosUntil(double position, long nowNanos) {
    earn(nowNanos);
    double missing = position - earned;
    return bytesPerSecond == 0 || missing <= 0
        ? 0
        : Math.max(1, (long) (missing * NANOS_PER_SECOND / bytesPerSecond));
  }

  private void earn(long nowNanos) {
    double more = Math.max(0, nowNanos - lastNanos) * bytesPerSecond / NANOS_PER_SECOND;
    earned = Math.min(reserved + bytesPerSecond, earned + more);
    lastNanos = nowNanos;
  }
}
