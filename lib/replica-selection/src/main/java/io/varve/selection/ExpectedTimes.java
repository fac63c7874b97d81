package io.varve.selection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long each kind of work takes on each shard, all its copies together: what a node measures
 * itself against, so that one which gets only expensive work, or holds the largest shard, isn't
 * taken for a slow one. Moves slowly, by the count of answers: what matters is that copies are
 * compared by the same measure.
 */
final class ExpectedTimes {

  private static final int MOST_WORKS = 10_000;
  private static final double LEAST_WEIGHT = 0.003;
  private static final double CLIP = 4;

  /**
   * @param shard empty for all shards together
   */
  record Work(String kind, String shard) {
    Work onAnyShard() {
      return new Work(kind, "");
    }
  }

  private final Map<Work, Mean> works = new ConcurrentHashMap<>();
  private final Mean all = new Mean();

  /** As on other shards while unknown, 0 if that is unknown too. */
  long nanos(Work work) {
    Mean mean = works.get(work);
    if (mean == null) {
      mean = works.get(work.onAnyShard());
    }
    return mean == null ? 0 : mean.nanos();
  }

  /** Over all kinds, 0 while unknown: what one request of others ahead costs. */
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
