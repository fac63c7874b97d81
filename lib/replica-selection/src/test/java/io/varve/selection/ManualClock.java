package io.varve.selection;

import java.util.function.LongSupplier;

/** A clock of monotonic nanoseconds that starts just before the overflow, as a real clock may. */
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
