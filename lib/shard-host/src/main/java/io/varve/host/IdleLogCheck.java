package io.varve.host;

import java.time.InstantSource;

/**
 * Reads the end of the log periodically: a copy without reads and writes would not notice that its
 * log lost records. For one thread.
 */
final class IdleLogCheck {

  private static final long EVERY_MILLIS = 60_000;

  private final InstantSource clock;
  private long lastMillis;

  IdleLogCheck(InstantSource clock) {
    this.clock = clock;
  }

  /** A copy was opened, which compared its position with the log. */
  void opened() {
    lastMillis = clock.millis();
  }

  /**
   * Makes the copy read the end of its log if that is due; returns the time until the next call.
   */
  long run(ShardCopy copy) {
    long now = clock.millis();
    long due = lastMillis + EVERY_MILLIS - now;
    if (due > 0) {
      return due;
    }
    lastMillis = now;
    var _ = copy.logEnd().newest();
    return EVERY_MILLIS;
  }
}
