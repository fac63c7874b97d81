package io.varve.host;

import java.util.concurrent.ExecutorService;

/**
 * The threads and the memory limit with which a node's copies apply operations.
 *
 * @param threads a fixed pool for indexing, one thread per processor
 * @param readAhead limits the operations that wait for these threads
 */
public record Applying(ExecutorService threads, ReadAhead readAhead) {

  public Applying(ExecutorService threads) {
    this(threads, ReadAhead.ofHeap());
  }
}
