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
  private final CellPages<@Nullable Object[]> far;
  private @Nullable Object[] near = new Object[0];

  ObjectCells(MemoryAccount memory) {
    this.memory = memory;
    this.far = new CellPages<>(memory, CELL_BYTES, Object[]::new);
  }

  @SuppressWarnings("unchecked")
  @Nullable T get(int bucket) {
    if (bucket < CellPages.SIZE) {
      return bucket < near.length ? (T) near[bucket] : null;
    }
    @Nullable Object @Nullable [] page = far.known(bucket);
    return page == null ? null : (T) page[bucket & CellPages.MASK];
  }

  /** Buckets from here on have no object. */
  int size() {
    return Math.max(near.length, far.end());
  }

  void set(int bucket, T object) {
    if (bucket >= CellPages.SIZE) {
      far.of(bucket)[bucket & CellPages.MASK] = object;
      return;
    }
    int before = near.length;
    if (bucket >= before) {
      int size = CellPages.near(before, bucket);
      // Both arrays are there while one is copied to the other.
      memory.charge(size * CELL_BYTES);
      near = Arrays.copyOf(near, size);
      memory.charge(before * -CELL_BYTES);
    }
    near[bucket] = object;
  }
}
