package io.varve.host;

import io.varve.events.ShardId;
import io.varve.process.Ticker;
import java.util.concurrent.ExecutorService;

/**
 * The threads and limits with which a node's copies apply operations and make them visible.
 *
 * @param threads a fixed pool for indexing, one thread per processor
 * @param readAhead limits the operations that wait for these threads
 * @param refreshes limits the periodic refreshes
 * @param idle limits the memory of the unrefreshed operations of copies without searches
 */
public record Applying(
    ExecutorService threads,
    ReadAhead readAhead,
    RefreshTurns refreshes,
    IdleMemory<ShardId> idle) {

  public Applying(ExecutorService threads) {
    this(threads, ReadAhead.ofHeap());
  }

  public Applying(ExecutorService threads, ReadAhead readAhead, RefreshTurns refreshes) {
    this(threads, readAhead, refreshes, IdleMemory.ofHeap());
  }

  public Applying(ExecutorService threads, ReadAhead readAhead) {
    this(
        threads,
        readAhead,
        new RefreshTurns(
            RefreshTurns.usualLimit(Runtime.getRuntime().availableProcessors()), Ticker.SYSTEM));
  }
}
