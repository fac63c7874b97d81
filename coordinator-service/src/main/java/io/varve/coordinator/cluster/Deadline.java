package io.varve.coordinator.cluster;

import java.time.Duration;

/**
 * The end of a wait, by the clock of this process that never goes back.
 *
 * @param nanos in the terms of {@link System#nanoTime}, whose values say something as differences
 *     alone
 */
public record Deadline(long nanos) {

  public static Deadline in(Duration timeout) {
    return new Deadline(System.nanoTime() + timeout.toNanos());
  }

  /** The time until then; zero when it is over. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }

  /** The same for one of several waits, which is not to take all. */
  public Duration leftUpTo(Duration most) {
    Duration left = left();
    return left.compareTo(most) < 0 ? left : most;
  }

  public boolean isOver() {
    return left().isZero();
  }
}
