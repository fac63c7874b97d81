package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.util.concurrent.atomic.LongAdder;

/** Counts executions of an operation, their total time, and those in progress. Thread-safe. */
public final class PhaseCounter {

  private final LongAdder total = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder current = new LongAdder();

  /** Must be followed by {@link #end} with the returned value. */
  public long begin() {
    current.increment();
    return System.nanoTime();
  }

  public void end(long began) {
    current.decrement();
    add(System.nanoTime() - began);
  }

  /**
   * As {@link #end(long)}, but counts the execution only if it is {@code done}; returns how long it
   * took, in nanoseconds.
   */
  long end(long began, boolean done) {
    long tookNanos = System.nanoTime() - began;
    current.decrement();
    if (done) {
      add(tookNanos);
    }
    return tookNanos;
  }

  /** Records a completed execution. */
  public void add(long tookNanos) {
    total.increment();
    nanos.add(tookNanos);
  }

  public CopyStats.Phase read() {
    return new CopyStats.Phase(total.sum(), nanos.sum() / 1_000_000, Math.max(0, current.sum()));
  }
}
