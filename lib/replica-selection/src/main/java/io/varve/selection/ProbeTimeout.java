package io.varve.selection;

/**
 * The probe timeout, after which a node counts as silent: computed from the probe times of all
 * nodes that did not fail recently, mean + 4 · deviation as in TCP, at least 50 ms. An overloaded
 * coordinator delays all probes, so the timeout adapts to it. Thread-safe.
 */
final class ProbeTimeout {

  private static final double LEAST_NANOS = 50e6;
  private static final double MOST_NANOS = 1e9;
  private static final double MEAN_WEIGHT = 1.0 / 8;
  private static final double DEVIATION_WEIGHT = 1.0 / 4;

  private double mean;
  private double deviation;
  private volatile long nanos = (long) LEAST_NANOS;

  long nanos() {
    return nanos;
  }

  /**
   * Records a probe time; an extreme value characterizes its node rather than probes in general.
   */
  synchronized void answeredAfter(long roundTripNanos) {
    double sample = Math.min((double) roundTripNanos, 2.0 * nanos);
    deviation += DEVIATION_WEIGHT * (Math.abs(sample - mean) - deviation);
    mean += MEAN_WEIGHT * (sample - mean);
    nanos = (long) Math.clamp(mean + 4 * deviation, LEAST_NANOS, MOST_NANOS);
  }
}
