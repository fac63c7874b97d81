package io.varve.load;

/** Durations of calls. Thread-safe. */
final class Latencies {

  private final Samples nanos = new Samples();

  void add(long durationNanos) {
    nanos.add(durationNanos);
  }

  /** Returns a quantile in milliseconds, as {@link Samples#quantile} defines it. */
  double quantile(double quantile) {
    return nanos.quantile(quantile) / 1e6;
  }

  int count() {
    return nanos.count();
  }
}
