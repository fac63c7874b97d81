package io.varve.selection;

import java.util.function.LongSupplier;

/** Monotonic nanoseconds from a start that is near the overflow, as a real clock's may be. */
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
