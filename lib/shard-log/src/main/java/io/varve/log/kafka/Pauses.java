package io.varve.log.kafka;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Between questions about something of which Kafka sends no word: mostly it is so at once, so the
 * first pause is short, each further one twice as long up to {@link #LONGEST_NANOS}. For one
 * thread.
 */
final class Pauses {

  private static final long LONGEST_NANOS = Duration.ofMillis(20).toNanos();

  private long nextNanos = Duration.ofMillis(1).toNanos();

  void pause() {
    LockSupport.parkNanos(nextNanos);
    nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
  }
}
