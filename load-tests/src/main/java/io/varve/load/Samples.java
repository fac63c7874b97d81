package io.varve.load;

import java.util.Arrays;

/** Numbers that were sampled. Thread-safe. */
final class Samples {

  private long[] values = new long[1024];
  private int count;

  synchronized void add(long value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
    }
    values[count++] = value;
  }

  /**
   * Returns a quantile by the nearest-rank method: the smallest value that at least this share of
   * the samples did not exceed; NaN if there are none.
   */
  synchronized double quantile(double quantile) {
    if (count == 0) {
      return Double.NaN;
    }
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted[rank(quantile, count) - 1];
  }

  /** Returns the rank, starting at 1. The tolerance absorbs rounding errors of the product. */
  private static int rank(double quantile, int count) {
    return Math.clamp((long) Math.ceil(quantile * count - 1e-9), 1, count);
  }

  synchronized int count() {
    return count;
  }
}
