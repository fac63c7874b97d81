package io.varve.search.aggregation.partial;

/** The {@link MergeMemory} of the reduce that runs on a thread. */
final class BoundMergeMemory {

  static final ScopedValue<MergeMemory> VALUE = ScopedValue.newInstance();

  private BoundMergeMemory() {}
}
