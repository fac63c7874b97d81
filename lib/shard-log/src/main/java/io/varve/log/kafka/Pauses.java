package io.varve.log.kafka;

import io.varve.process.Sleeper;
import java.time.Duration;

/**
 * Pauses between polls for a change that Kafka does not notify about. The change is usually
 * immediate, so the first pause is short; each further one doubles, up to {@link #LONGEST_NANOS}.
 * For one thread.
 */
final class Pauses {

  private static final long LONGEST_NANOS = Duration.ofMillis(20).toNanos();

  private final Sleeper sleeper;
  private long nextNanos = Duration.ofMillis(1).toNanos();

  Pauses(Sleeper sleeper) {
    this.sleeper = sleeper;
  }

  void pause() {
    sleeper.sleep(nextNanos);
    nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
  }
}
