package io.varve.load;

import java.util.SplittableRandom;

/**
 * When the calls of an open loop are due: a Poisson process, whatever becomes of the calls before.
 *
 * <pre>
 *   due(0) = begin + gap,  due(n) = due(n - 1) + gap,  gap ~ Exp(mean)
 * </pre>
 */
final class Arrivals {

  private final SplittableRandom random;
  private final double meanSeconds;
  private long dueNanos;

  /**
   * @param meanSeconds between two calls
   */
  Arrivals(SplittableRandom random, double meanSeconds, long beginNanos) {
    this.random = random;
    this.meanSeconds = meanSeconds;
    this.dueNanos = beginNanos;
  }

  long nextNanos() {
    dueNanos += drawnNanos(random, meanSeconds);
    return dueNanos;
  }

  /** A time between two calls. */
  static long drawnNanos(SplittableRandom random, double meanSeconds) {
    return (long) (-Math.log(1 - random.nextDouble()) * meanSeconds * 1e9);
  }
}
