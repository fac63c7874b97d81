package io.varve.engine.search.aggregation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An object for each bucket, none at first. The cells are charged, for few of many buckets may have
 * an object; the objects are charged by whoever makes them.
 */
final class ObjectCells<T> {

  private static final long CELL_BYTES = 8;

  private final MemoryAccount memory;
  private @Nullable Object[] cells = new Object[0];

  ObjectCells(MemoryAccount memory) {
    this.memory = memory;
  }

  @SuppressWarnings("unchecked")
  @Nullable T get(int bucket) {
    return bucket < cells.length ? (T) cells[bucket] : null;
  }

  /** Buckets beyond this one have no object. */
  int size() {
    return cells.length;
  }

  void set(int bucket, T object) {
    int before = cells.length;
    if (bucket >= before) {
      int size = Growth.size(before, bucket);
      // Both arrays are there while one is copied to the other.
      cells = memory.allocate(size * CELL_BYTES, () -> Arrays.copyOf(cells, size));
      memory.charge(before * -CELL_BYTES);
    }
    cells[bucket] = object;
  }
}
