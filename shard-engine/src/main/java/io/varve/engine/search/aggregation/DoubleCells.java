package io.varve.engine.search.aggregation;

import java.util.Arrays;

/** A decimal for each bucket. */
final class DoubleCells {

  private final MemoryAccount memory;
  private final double first;
  private double[] cells = new double[0];

  /**
   * @param first what a bucket has before anything is set
   */
  DoubleCells(MemoryAccount memory, double first) {
    this.memory = memory;
    this.first = first;
  }

  void set(int bucket, double value) {
    upTo(bucket)[bucket] = value;
  }

  /** The numbers themselves, of as many buckets at least; good until the next bucket comes. */
  double[] upTo(int bucket) {
    if (bucket >= cells.length) {
      int before = cells.length;
      int size = Growth.size(before, bucket);
      // Both arrays are there while one is copied to the other.
      cells = memory.allocate(size * 8L, () -> Arrays.copyOf(cells, size));
      memory.charge(before * -8L);
      if (first != 0) {
        Arrays.fill(cells, before, size, first);
      }
    }
    return cells;
  }

  double get(int bucket) {
    return bucket < cells.length ? cells[bucket] : first;
  }
}
