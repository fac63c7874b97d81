package io.varve.load;

import java.util.concurrent.TimeUnit;

/** Monotonic time and waiting of a load generator. */
interface LoadClock {

  /** The clock of this machine. */
  LoadClock SYSTEM =
      new LoadClock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleepNanos(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  /** A reading, comparable only with other readings, as {@link System#nanoTime}. */
  long nanos();

  /** Waits; returns immediately if {@code nanos} is not positive. */
  void sleepNanos(long nanos) throws InterruptedException;
}
