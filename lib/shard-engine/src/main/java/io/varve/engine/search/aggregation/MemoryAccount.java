package io.varve.engine.search.aggregation;

import java.util.function.Supplier;

/**
 * What one search holds in memory. It is charged before memory is taken; a charge that would be too
 * much is refused by an exception. Closing gives all of it back.
 */
public interface MemoryAccount extends AutoCloseable {

  /** An account without a bound. */
  MemoryAccount UNBOUNDED =
      new MemoryAccount() {
        @Override
        public void charge(long bytes) {}

        @Override
        public void close() {}
      };

  /**
   * @param bytes negative for what is given back
   */
  void charge(long bytes);

  /**
   * Charges for an array and allocates it. Where both would be done apart, two large arrays could
   * be charged that do not fit together.
   */
  default <T> T allocate(long bytes, Supplier<T> allocation) {
    charge(bytes);
    return allocation.get();
  }

  @Override
  void close();
}
