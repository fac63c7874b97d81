package io.varve.selection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The expected execution time of each kind of work on each shard, averaged over all copies. Nodes
 * are compared with it, so that a node with only expensive work, or with the largest shard, does
 * not count as slow. The mean changes slowly with each answer, because all copies must be compared
 * with the same value.
 */
final class ExpectedTimes {

  private static final int MOST_WORKS = 10_000;
  private static final double LEAST_WEIGHT = 0.003;
  private static final double CLIP = 4;

  /**
   * @param shard empty for the average over all shards
   */
  record Work(String kind, String shard) {
    Work onAnyShard() {
      return new Work(kind, "");
    }
  }

  private final Map<Work, Mean> works = new ConcurrentHashMap<>();
  private final Mean all = new Mean();

  /** Falls back to the average over other shards; 0 if that is unknown too. */
  long nanos(Work work) {
    Mean mean = works.get(work);
    if (mean == null) {
      mean = works.get(work.onAnyShard());
    }
    return mean == null ? 0 : mean.nanos();
  }

  /**
   * The average over all kinds, 0 while unknown: the cost of one queued request of another
   * coordinator.
   */
  long nanosOfAny() {
    return all.nanos();
  }

  void took(Work work, long nanos) {
    if (works.size() >= MOST_WORKS && !works.containsKey(work)) {
      works.clear();
    }
    works.computeIfAbsent(work, w -> new Mean()).add(nanos);
    if (!work.shard().isEmpty()) {
      works.computeIfAbsent(work.onAnyShard(), w -> new Mean()).add(nanos);
    }
    all.add(nanos);
  }

  private static final class Mean {
    private double nanos;
    private long count;

    synchronized void add(long sample) {
      count++;
      double clipped = count == 1 ? (double) sample : Math.min((double) sample, CLIP * nanos);
      nanos += Math.max(LEAST_WEIGHT, 1.0 / count) * (clipped - nanos);
    }

    synchronized long nanos() {
      return (long) nanos;
    }
  }
}
