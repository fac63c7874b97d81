package io.varve.store;

/**
 * A budget of bytes per second that saves up to one second's worth. A reservation may go into debt;
 * the wait it gives back pays it off, so the rate holds over time whatever the sizes.
 *
 * <pre>
 *   tokens(t) = min(rate, tokens(t0) + rate * (t - t0))
 *   reserve(n): tokens -= n;  wait = max(0, -tokens / rate)
 * </pre>
 */
public final class TokenBucket {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double bytesPerSecond;
  private double tokens;
  private long lastNanos;

  public TokenBucket(long bytesPerSecond, long nowNanos) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("bytes per second must be >= 1, was " + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.tokens = bytesPerSecond;
    this.lastNanos = nowNanos;
  }

  /** Takes the bytes from the budget; tells how long to wait before moving them. */
  public synchronized long reserve(long bytes, long nowNanos) {
    double earned = (nowNanos - lastNanos) * bytesPerSecond / NANOS_PER_SECOND;
    tokens = Math.min(bytesPerSecond, tokens + Math.max(0, earned));
    lastNanos = nowNanos;
    tokens -= bytes;
    return tokens >= 0 ? 0 : (long) (-tokens * NANOS_PER_SECOND / bytesPerSecond);
  }
}
