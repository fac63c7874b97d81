package io.varve.engine.search.aggregation;

/** Computes the sizes of growing arrays. */
final class ArrayGrowth {

  private ArrayGrowth() {}

  /** The current size plus one half, and at least enough for the index. */
  static int size(int size, int index) {
    long wanted = Math.max(index + 1L, Math.max(8, size + (size >> 1)));
    return (int) Math.min(Integer.MAX_VALUE - 16, Math.max(wanted, index + 1L));
  }
}
