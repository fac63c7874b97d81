package io.varve.clients.fuzz;

import java.util.List;
import java.util.Random;

/** The random values of one request. The same seed and number produce the same values. */
final class Dice {

  private final Random random;

  Dice(long seed, long number) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + number * 0xBF58476D1CE4E5B9L);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  @SafeVarargs
  final <T> T oneOf(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
