package io.varve.search.aggregation.partial;

import java.util.function.Supplier;

/**
 * Accounts for the memory of objects that exist only while two partial results are merged. A reduce
 * binds it to its thread with {@link #bound} instead of passing it to every merge, because merges
 * are nested in buckets of every kind and only those of distributions need it.
 */
@FunctionalInterface
public interface MergeMemory {

  MergeMemory UNLIMITED = (_, merge) -> merge.get();

  /**
   * Runs a merge while its memory is charged, or throws if there is no room for it.
   *
   * @param bytes upper bound of the memory that the merge allocates
   * @param merge gives the encoded result
   */
  byte[] charged(long bytes, Supplier<byte[]> merge);

  /** The memory of the reduce that runs on this thread; unlimited outside of a reduce. */
  static MergeMemory current() {
    return BoundMergeMemory.VALUE.orElse(UNLIMITED);
  }

  /** Runs a reduce whose merges are charged to this memory. */
  default <T> T bound(Supplier<T> reduce) {
    return ScopedValue.where(BoundMergeMemory.VALUE, this).call(reduce::get);
  }
}
