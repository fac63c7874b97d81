package io.varve.selection;

/**
 * A mean of execution times that is robust against outliers in both directions.
 *
 * <pre>
 *   w = clamp(Δt / 700 ms, 0.05, 0.35), at least 1/count
 *   mean += w · (min(sample, 2 · mean) − mean)
 * </pre>
 *
 * Weights depend on time, so an estimate is equally fresh at one and at a thousand requests per
 * second. A sample counts at most as twice the mean: a pause of the process moves it by one step, a
 * slow node doubles it within a few. The time of cancelled work is a lower bound: it may raise the
 * mean but never lowers it. Not thread-safe.
 */
final class RobustMean {

  private static final double WINDOW_NANOS = 700e6;
  private static final double LEAST_WEIGHT = 0.05;
  private static final double MOST_WEIGHT = 0.35;
  private static final double CLIP = 2;

  private double mean;
  private long count;
  private long lastNanos;

  void add(double sample, long nowNanos) {
    count++;
    if (count == 1) {
      mean = sample;
    } else {
      double byTime = Math.clamp((nowNanos - lastNanos) / WINDOW_NANOS, LEAST_WEIGHT, MOST_WEIGHT);
      double weight = Math.max(byTime, 1.0 / count);
      mean += weight * (Math.min(sample, CLIP * mean) - mean);
    }
    lastNanos = nowNanos;
  }

  /** Adds a lower bound of a sample. */
  void addCensored(double atLeast, long nowNanos) {
    if (count > 0 && atLeast > mean) {
      add(atLeast, nowNanos);
    }
  }

  boolean known() {
    return count > 0;
  }

  double mean() {
    return mean;
  }

  long lastNanos() {
    return lastNanos;
  }
}
