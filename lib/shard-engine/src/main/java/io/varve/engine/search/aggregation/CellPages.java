package io.varve.engine.search.aggregation;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The cells of buckets from number {@value #SIZE} on, in pages that are allocated on first use.
 * Cells of many buckets thus need no contiguous memory, no copying when their number grows, and no
 * memory for unused pages.
 *
 * @param <A> an array type
 */
final class CellPages<A> {

  static final int BITS = 16;

  /** Cells per page. */
  static final int SIZE = 1 << BITS;

  /** Mask for the index of a bucket's cell within its page. */
  static final int MASK = SIZE - 1;

  private static final int REFERENCE_BYTES = 8;

  private final MemoryAccount memory;
  private final long cellBytes;
  private final IntFunction<A> made;
  private @Nullable Object[] pages = new Object[0];

  /**
   * @param made allocates an array of this many empty cells
   */
  CellPages(MemoryAccount memory, long cellBytes, IntFunction<A> made) {
    this.memory = memory;
    this.cellBytes = cellBytes;
    this.made = made;
  }

  /** The page of a bucket, allocated if absent. */
  A of(int bucket) {
    int page = bucket >>> BITS;
    if (page >= pages.length) {
      int size = ArrayGrowth.size(pages.length, page);
      memory.charge((long) (size - pages.length) * REFERENCE_BYTES);
      pages = Arrays.copyOf(pages, size);
    }
    A known = known(bucket);
    if (known != null) {
      return known;
    }
    A added = memory.allocate(SIZE * cellBytes, () -> made.apply(SIZE));
    pages[page] = added;
    return added;
  }

  /** The page of a bucket, null if none of its cells was used. */
  @SuppressWarnings("unchecked")
  @Nullable A known(int bucket) {
    int page = bucket >>> BITS;
    return page < pages.length ? (A) pages[page] : null;
  }

  /** An upper bound: no cell with this or a higher number was ever used. */
  int end() {
    return (int) Math.min(Integer.MAX_VALUE, (long) pages.length << BITS);
  }

  /** The size of the array of cells before the first page that has room for this bucket. */
  static int near(int size, int bucket) {
    return Math.min(SIZE, ArrayGrowth.size(size, bucket));
  }
}
