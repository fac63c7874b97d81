package io.varve.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The end of a wait.
 *
 * @param clock by which time passes
 * @param nanos when the wait ends, by that clock
 */
public record Deadline(Ticker clock, long nanos) {

  private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

  /** So long from now. */
  public static Deadline in(Duration timeout, Ticker clock) {
    long nanos = Math.min(TimeUnit.NANOSECONDS.convert(timeout), LONGEST_NANOS);
    return new Deadline(clock, clock.nanos() + nanos);
  }

  /** The same deadline, so much later. */
  public Deadline plus(Duration grace) {
    return new Deadline(clock, nanos + grace.toNanos());
  }

  /** The time until then; zero when it is over. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - clock.nanos()));
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
