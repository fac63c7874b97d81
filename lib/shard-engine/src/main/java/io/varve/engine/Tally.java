package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often something was done, how long it took, and how many are at it. Thread-safe. */
public final class Tally {

  private final LongAdder total = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder current = new LongAdder();

  /** {@link #end} must follow, with what this returns. */
  public long begin() {
    current.increment();
    return System.nanoTime();
  }

  public void end(long began) {
    current.decrement();
    add(System.nanoTime() - began);
  }

  /** The same; what came to nothing is not counted. */
  void end(long began, boolean done) {
    if (done) {
      end(began);
    } else {
      current.decrement();
    }
  }

  /** It was done, in that time. */
  public void add(long tookNanos) {
    total.increment();
    nanos.add(tookNanos);
  }

  public CopyStats.Phase read() {
    return new CopyStats.Phase(total.sum(), nanos.sum() / 1_000_000, Math.max(0, current.sum()));
  }
}
