package io.varve.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Round-robin over the copies of each shard, each shard from a random start. Shards that rotate in
 * step would send a whole search to the same node.
 */
final class Rotation {

  private static final int MOST_SHARDS = 10_000;

  private final RandomGenerator random;
  private final Map<String, AtomicInteger> turns = new ConcurrentHashMap<>();

  Rotation(RandomGenerator random) {
    this.random = random;
  }

  /** Returns the copies, starting with a different one each time. */
  <T> List<T> next(String shard, List<T> copies) {
    if (copies.size() < 2) {
      return new ArrayList<>(copies);
    }
    if (turns.size() > MOST_SHARDS) {
      turns.clear();
    }
    int turn = turns.computeIfAbsent(shard, s -> start()).getAndIncrement();
    int first = Math.floorMod(turn, copies.size());
    List<T> rotated = new ArrayList<>(copies.size());
    rotated.addAll(copies.subList(first, copies.size()));
    rotated.addAll(copies.subList(0, first));
    return rotated;
  }

  private AtomicInteger start() {
    synchronized (random) {
      return new AtomicInteger(random.nextInt());
    }
  }
}
