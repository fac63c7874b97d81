package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a cache for one copy. Thread-safe. */
public final class CacheCounters {

  private final LongAdder memoryBytes = new LongAdder();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder evictions = new LongAdder();

  public void hit() {
    hits.increment();
  }

  public void missed() {
    misses.increment();
  }

  public void added(long bytes) {
    entries.increment();
    memoryBytes.add(bytes);
  }

  /** Removes entries; {@code bytes} is their total size. */
  public void removed(int count, long bytes) {
    evictions.add(count);
    memoryBytes.add(-bytes);
  }

  public CopyStats.Cache read() {
    return new CopyStats.Cache(
        Math.max(0, memoryBytes.sum()), hits.sum(), misses.sum(), entries.sum(), evictions.sum());
  }
}
