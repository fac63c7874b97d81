package io.varve.selection;

/**
 * Response time that follows peaks at once and forgets them over ten seconds: Finagle's peak EWMA.
 * A node never heard of is taken to need a second, so that it isn't flooded. Not thread-safe.
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

  /** Expected load of one more request there. */
  double cost(long outstanding, long nowNanos) {
    double decayed = known ? nanos * StrictMath.exp(-(nowNanos - lastNanos) / DECAY_NANOS) : nanos;
    return decayed * (outstanding + 1);
  }
}
