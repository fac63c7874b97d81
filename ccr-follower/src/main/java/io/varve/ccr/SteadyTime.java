package io.varve.ccr;

import io.varve.process.Ticker;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock for the intervals of pullers: it begins at the time of day and then advances with a
 * monotonic clock. So an operator or NTP that sets the time of day neither delays a renewal of a
 * lease nor shows a wrong lag.
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
