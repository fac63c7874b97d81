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

  /** In milliseconds; NaN when there is nothing. */
  synchronized double quantile(double quantile) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (quantile * count))] / 1e6;
  }

  synchronized int count() {
    return count;
  }
}
