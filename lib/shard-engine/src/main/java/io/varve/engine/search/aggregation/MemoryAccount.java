package io.varve.engine.search.aggregation;

import java.util.function.Supplier;

/**
 * The memory accounted for by one search. Memory is charged before it is allocated; an excessive
 * charge throws. Closing releases all of it.
 */
public interface MemoryAccount extends AutoCloseable {

  /** An account without a limit. */
  MemoryAccount UNBOUNDED =
      new MemoryAccount() {
        @Override
        public void charge(long bytes) {}

        @Override
        public void close() {}
      };

  /**
   * @param bytes negative for released memory
   */
  void charge(long bytes);

  /**
   * Charges for an array and allocates it in one step, so that two large arrays that do not fit
   * together can't both be charged.
   */
  default <T> T allocate(long bytes, Supplier<T> allocation) {
    charge(bytes);
    return allocation.get();
  }

  @Override
  void close();
}
