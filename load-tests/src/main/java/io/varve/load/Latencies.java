package io.varve.load;

import java.util.Arrays;

/** Durations of many calls, from several threads. */
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
   * By nearest rank: the least duration that at least that share of the calls did not exceed. In
   * milliseconds; NaN when there is nothing.
   */
  synchronized double quantile(double quantile) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[rank(quantile, count) - 1] / 1e6;
  }

  /** From 1 on. What a product of doubles has too much is no rank of its own. */
  private static int rank(double quantile, int count) {
    return Math.clamp((long) Math.ceil(quantile * count - 1e-9), 1, count);
  }

  synchronized int count() {
    return count;
  }
}
