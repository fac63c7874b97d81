package io.varve.engine.search.aggregation;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of the cells from {@value #SIZE} on, a page each, made when a cell of it is first
 * used. So many buckets need no space in one piece, no copy when they become more, and none where
 * there are gaps.
 *
 * @param <A> a type of arrays
 */
final class CellPages<A> {

  static final int BITS = 16;

  /** Cells of a page. */
  static final int SIZE = 1 << BITS;

  /** The cell of a bucket within its page. */
  static final int MASK = SIZE - 1;

  private static final int REFERENCE_BYTES = 8;

  private final MemoryAccount memory;
  private final long cellBytes;
  private final IntFunction<A> made;
  private @Nullable Object[] pages = new Object[0];

  /**
   * @param made makes an array of so many empty cells
   */
  CellPages(MemoryAccount memory, long cellBytes, IntFunction<A> made) {
    this.memory = memory;
    this.cellBytes = cellBytes;
    this.made = made;
  }

  /** The page of a bucket. */
  A of(int bucket) {
    int page = bucket >>> BITS;
    if (page >= pages.length) {
      int size = Growth.size(pages.length, page);
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

  /** The page of a bucket, null where none of its cells was used. */
  @SuppressWarnings("unchecked")
  @Nullable A known(int bucket) {
    int page = bucket >>> BITS;
    return page < pages.length ? (A) pages[page] : null;
  }

  /** Cells from here on were never used. */
  int end() {
    return (int) Math.min(Integer.MAX_VALUE, (long) pages.length << BITS);
  }

  /** The size of the array of the cells before the first page, with room for this bucket. */
  static int near(int size, int bucket) {
    return Math.min(SIZE, Growth.size(size, bucket));
  }
}
