package io.varve.selection;

/**
 * How long a node may leave a probe unanswered before it counts as silent: what probes take on all
 * nodes together that didn't fail lately, mean + 4 · deviation as TCP has it, at least 50 ms. A
 * machine too busy to answer in time is so for every node. Thread-safe.
 */
final class Patience {

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

  /** A probe was answered; one that took very long says more about its node than about probes. */
  synchronized void answeredAfter(long roundTripNanos) {
    double sample = Math.min((double) roundTripNanos, 2.0 * nanos);
    deviation += DEVIATION_WEIGHT * (Math.abs(sample - mean) - deviation);
    mean += MEAN_WEIGHT * (sample - mean);
    nanos = (long) Math.clamp(mean + 4 * deviation, LEAST_NANOS, MOST_NANOS);
  }
}
