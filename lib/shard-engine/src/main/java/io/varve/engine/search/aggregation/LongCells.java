package io.varve.engine.search.aggregation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A long per bucket, initially 0. */
final class LongCells {

  private final MemoryAccount memory;
  private final CellPages<long[]> far;
  private long[] near = new long[0];

  LongCells(MemoryAccount memory) {
    this.memory = memory;
    this.far = new CellPages<>(memory, Long.BYTES, long[]::new);
  }

  void add(int bucket, long more) {
    upTo(bucket)[bucket & CellPages.MASK] += more;
  }

  /**
   * The array that contains the bucket, at index bucket & {@link CellPages#MASK}. The array of a
   * bucket before the first page contains all buckets up to it. Valid until the next bucket is
   * added.
   */
  long[] upTo(int bucket) {
    if (bucket < near.length) {
      return near;
    }
    return bucket < CellPages.SIZE ? grown(bucket) : far.of(bucket);
  }

  long get(int bucket) {
    if (bucket < CellPages.SIZE) {
      return bucket < near.length ? near[bucket] : 0;
    }
    long @Nullable [] page = far.known(bucket);
    return page == null ? 0 : page[bucket & CellPages.MASK];
  }

  private long[] grown(int bucket) {
    int before = near.length;
    int size = CellPages.near(before, bucket);
    // Both arrays exist while one is copied to the other.
    memory.charge(size * 8L);
    near = Arrays.copyOf(near, size);
    memory.charge(before * -8L);
    return near;
  }
}
