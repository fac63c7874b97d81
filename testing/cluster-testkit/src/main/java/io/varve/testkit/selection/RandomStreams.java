package io.varve.testkit.selection;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Random streams by name, so that a change in one part does not affect the random numbers of the
 * others.
 */
final class RandomStreams {

  private final long seed;

  RandomStreams(long seed) {
    this.seed = seed;
  }

  RandomGenerator stream(String name) {
    return new SplittableRandom(seed * 1_000_003 + name.hashCode());
  }

  static double exponential(RandomGenerator random, double mean) {
    return -mean * StrictMath.log(1 - random.nextDouble());
  }

  static double logNormal(RandomGenerator random, double mean, double sigma) {
    return mean * StrictMath.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
  }
}
