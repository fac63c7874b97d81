package io.varve.selection;

import java.util.function.LongSupplier;

/** Monotonic nanoseconds that start near the overflow, as a real clock may. */
final class ManualClock implements LongSupplier {

  private long nanos = Long.MAX_VALUE - 5_000_000_000L;

  void advanceMillis(long millis) {
    nanos += millis * 1_000_000;
  }

  @Override
  public long getAsLong() {
    return nanos;
  }
}
