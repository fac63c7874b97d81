package io.varve.engine.search.aggregation;

/** Growth of arrays. */
final class ArrayGrowth {

  private ArrayGrowth() {}

  /** Half as much again, and at least enough for an index. */
  static int size(int size, int index) {
    long wanted = Math.max(index + 1L, Math.max(8, size + (size >> 1)));
    return (int) Math.min(Integer.MAX_VALUE - 16, Math.max(wanted, index + 1L));
  }
}
