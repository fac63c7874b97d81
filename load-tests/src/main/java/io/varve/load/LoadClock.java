package io.varve.load;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The clocks of a load generator, and its waits. */
interface LoadClock {

  /** The clock of this machine. */
  LoadClock SYSTEM =
      new LoadClock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public void sleepNanos(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  /**
   * Returns the time, which like {@link System#nanoTime} is comparable only with other readings.
   */
  long nanos();

  /** Returns the time of day, which recordings of other processes also use. */
  Instant now();

  /** Waits; returns immediately if {@code nanos} is not positive. */
  void sleepNanos(long nanos) throws InterruptedException;
}
