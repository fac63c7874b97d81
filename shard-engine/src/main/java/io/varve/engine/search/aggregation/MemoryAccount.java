package io.varve.engine.search.aggregation;

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

  @Override
  void close();
}
