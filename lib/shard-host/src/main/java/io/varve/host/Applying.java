package io.varve.host;

import java.util.concurrent.ExecutorService;

/**
 * Where a node's copies apply operations.
 *
 * @param threads a fixed pool, one thread for each processor, that indexes
 * @param readAhead what may wait there
 */
public record Applying(ExecutorService threads, ReadAhead readAhead) {

  public Applying(ExecutorService threads) {
    this(threads, ReadAhead.ofHeap());
  }
}
