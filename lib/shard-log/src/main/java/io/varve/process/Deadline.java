package io.varve.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The deadline of a wait.
 *
 * @param clock the clock that measures the wait
 * @param nanos the end of the wait, by that clock
 */
public record Deadline(Ticker clock, long nanos) {

  private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

  /** The deadline after this duration from now. */
  public static Deadline in(Duration timeout, Ticker clock) {
    long nanos = Math.min(TimeUnit.NANOSECONDS.convert(timeout), LONGEST_NANOS);
    return new Deadline(clock, clock.nanos() + nanos);
  }

  /** Returns this deadline extended by the duration. */
  public Deadline plus(Duration grace) {
    return new Deadline(clock, nanos + grace.toNanos());
  }

  /** The remaining time; zero after the deadline. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - clock.nanos()));
  }

  /**
   * The part of the remaining time that one of several waits may use, so that time is left for the
   * others.
   */
  public Duration leftUpTo(Duration most) {
    Duration left = left();
    return left.compareTo(most) < 0 ? left : most;
  }

  public boolean isOver() {
    return left().isZero();
  }
}
