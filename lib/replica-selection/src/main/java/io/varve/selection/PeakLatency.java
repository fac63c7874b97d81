package io.varve.selection;

/**
 * Response time that follows peaks immediately and decays over ten seconds: Finagle's peak EWMA. A
 * new node is assumed to take one second, so that it is not flooded. Not thread-safe.
 */
final class PeakLatency {

  private static final double DECAY_NANOS = 10e9;
  private static final double UNKNOWN_NANOS = 1e9;

  private double nanos = UNKNOWN_NANOS;
  private long lastNanos;
  private boolean known;

  void add(long tookNanos, long nowNanos) {
    if (!known || tookNanos > nanos) {
      nanos = (double) tookNanos;
    } else {
      double weight = StrictMath.exp(-(nowNanos - lastNanos) / DECAY_NANOS);
      nanos = nanos * weight + tookNanos * (1 - weight);
    }
    known = true;
    lastNanos = nowNanos;
  }

  /** Expected load with one more request. */
  double cost(long outstanding, long nowNanos) {
    double decayed = known ? nanos * StrictMath.exp(-(nowNanos - lastNanos) / DECAY_NANOS) : nanos;
    return decayed * (outstanding + 1);
  }
}
