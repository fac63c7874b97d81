package io.varve.engine.search.aggregation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An object per bucket, initially null. The array is charged, since it may be sparse; the objects
 * are charged by their creators.
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

  /** An upper bound: no bucket with this or a higher number has an object. */
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
      // Both arrays exist while one is copied to the other.
      memory.charge(size * CELL_BYTES);
      near = Arrays.copyOf(near, size);
      memory.charge(before * -CELL_BYTES);
    }
    near[bucket] = object;
  }
}
