package io.varve.ccr;

import io.varve.process.Ticker;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock for the intervals of pullers: it starts at the time of day and then advances with a
 * monotonic clock. If an operator or NTP sets the time of day, no renewal of a lease is delayed and
 * no wrong lag is shown.
 */
final class SteadyTime implements InstantSource {

  private final Instant began;
  private final Ticker ticker;
  private final long beganNanos;

  SteadyTime(InstantSource timeOfDay, Ticker ticker) {
    this.began = timeOfDay.instant();
    this.ticker = ticker;
    this.beganNanos = ticker.nanos();
  }

  @Override
  public Instant instant() {
    return began.plusNanos(ticker.nanos() - beganNanos);
  }
}
