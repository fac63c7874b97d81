package io.varve.load;

import java.util.Arrays;

/** Durations of calls. Thread-safe. */
final class Latencies {

  private long[] nanos = new long[1024];
  private int count;

  synchronized void add(long durationNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = durationNanos;
  }

  /**
   * Returns a quantile in milliseconds by the nearest-rank method: the smallest duration that at
   * least this share of the calls did not exceed; NaN if there are no calls.
   */
  synchronized double quantile(double quantile) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[rank(quantile, count) - 1] / 1e6;
  }

  /** Returns the rank, starting at 1. The tolerance absorbs rounding errors of the product. */
  private static int rank(double quantile, int count) {
    return Math.clamp((long) Math.ceil(quantile * count - 1e-9), 1, count);
  }

  synchronized int count() {
    return count;
  }
}
