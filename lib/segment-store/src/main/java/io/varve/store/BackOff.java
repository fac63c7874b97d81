package io.varve.store;

import java.util.function.DoubleSupplier;

/**
 * How long to wait after failures in a row: doubling from {@code firstMillis} to {@code maxMillis},
 * of which the upper half is left to chance.
 *
 * @param chance gives numbers in [0, 1)
 */
public record BackOff(long firstMillis, long maxMillis, DoubleSupplier chance) {

  public BackOff {
    if (firstMillis < 1 || maxMillis < firstMillis) {
      throw new IllegalArgumentException(
          "back-off needs 1 <= first <= max, was " + firstMillis + ", " + maxMillis);
    }
  }

  /** The wait after the {@code failures}-th failure in a row, from 1. */
  public long delayMillis(int failures) {
    int doublings = Math.min(Math.max(failures, 1) - 1, 30);
    long full = Math.min(maxMillis, firstMillis << doublings);
    return full / 2 + Math.round((full - full / 2) * chance.getAsDouble());
  }
}
