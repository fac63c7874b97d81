package io.varve.engine.search.aggregation;

import java.util.Arrays;

/** A number for each bucket, 0 at first. */
final class LongCells {

  private final MemoryAccount memory;
  private long[] cells = new long[0];

  LongCells(MemoryAccount memory) {
    this.memory = memory;
  }

  void add(int bucket, long more) {
    if (bucket >= cells.length) {
      grow(bucket);
    }
    cells[bucket] += more;
  }

  /** The numbers themselves, of as many buckets at least; good until the next bucket comes. */
  long[] upTo(int bucket) {
    if (bucket >= cells.length) {
      grow(bucket);
    }
    return cells;
  }

  long get(int bucket) {
    return bucket < cells.length ? cells[bucket] : 0;
  }

  private void grow(int bucket) {
    int size = Growth.size(cells.length, bucket);
    int before = cells.length;
    // Both arrays are there while one is copied to the other.
    cells = memory.allocate(size * 8L, () -> Arrays.copyOf(cells, size));
    memory.charge(before * -8L);
  }
}
