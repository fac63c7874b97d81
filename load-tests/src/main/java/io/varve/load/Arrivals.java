package io.varve.load;

import java.util.SplittableRandom;

/**
 * Computes the times at which the calls of an open loop are due: a Poisson process, independent of
 * the duration of calls.
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
   * Creates the process.
   *
   * @param meanSeconds the mean time between two calls
   */
  Arrivals(SplittableRandom random, double meanSeconds, long beginNanos) {
    this.random = random;
    this.meanSeconds = meanSeconds;
    this.dueNanos = beginNanos;
  }

  long nextNanos() {
    dueNanos += randomGapNanos(random, meanSeconds);
    return dueNanos;
  }

  /** Returns a random time between two calls. */
  static long randomGapNanos(SplittableRandom random, double meanSeconds) {
    return (long) (-Math.log(1 - random.nextDouble()) * meanSeconds * 1e9);
  }
}
