package io.varve.store;

import java.util.function.DoubleSupplier;

/**
 * Exponential back-off after consecutive failures: the delay doubles from {@code firstMillis} to
 * {@code maxMillis}, and each wait is a random time between half the delay and the delay.
 *
 * @param chance supplies numbers in [0, 1)
 */
public record ExponentialBackOff(long firstMillis, long maxMillis, DoubleSupplier chance) {

  public ExponentialBackOff {
    if (firstMillis < 1 || maxMillis < firstMillis) {
      throw new IllegalArgumentException(
          "back-off needs 1 <= first <= max, was " + firstMillis + ", " + maxMillis);
    }
  }

  /** The delay after the {@code failures}-th consecutive failure, counted from 1. */
  public long delayMillis(int failures) {
    int doublings = Math.min(Math.max(failures, 1) - 1, 30);
    long full = Math.min(maxMillis, firstMillis << doublings);
    return full / 2 + Math.round((full - full / 2) * chance.getAsDouble());
  }
}
