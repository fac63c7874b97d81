package io.varve.selection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** Strategies that use no node statistics, or a single number. */
final class SimpleRankers {

  private SimpleRankers() {}

  static Ranker roundRobin() {
    return (turn, candidates) -> Ranker.Ranked.counted(turn);
  }

  static Ranker random(RandomGenerator random) {
    return (turn, candidates) -> Ranker.Ranked.counted(shuffled(turn, random));
  }

  static Ranker leastOutstanding() {
    return (turn, candidates) -> {
      List<Copy> sorted = new ArrayList<>(turn);
      sorted.sort(Comparator.comparingLong(candidates::outstanding));
      return Ranker.Ranked.counted(sorted);
    };
  }

  /** The better of two random copies first; the rest are for failover. */
  static Ranker powerOfTwoChoices(RandomGenerator random) {
    return (turn, candidates) -> {
      List<Copy> shuffled = shuffled(turn, random);
      if (shuffled.size() > 1
          && cost(shuffled.get(1), candidates) < cost(shuffled.get(0), candidates)) {
        Collections.swap(shuffled, 0, 1);
      }
      return Ranker.Ranked.counted(shuffled);
    };
  }

  private static double cost(Copy copy, Candidates candidates) {
    return candidates.view(copy).peakCost(candidates.planned(copy), candidates.moment().nowNanos());
  }

  private static List<Copy> shuffled(List<Copy> copies, RandomGenerator random) {
    List<Copy> shuffled = new ArrayList<>(copies);
    synchronized (random) {
      Collections.shuffle(shuffled, java.util.Random.from(random));
    }
    return shuffled;
  }
}
