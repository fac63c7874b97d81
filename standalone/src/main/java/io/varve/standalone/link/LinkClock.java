package io.varve.standalone.link;

import java.util.concurrent.TimeUnit;

/** The clock of a link. */
interface LinkClock {

  /** The clock of this machine. */
  LinkClock SYSTEM =
      new LinkClock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void awaitNanos(long atNanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(atNanos - System.nanoTime());
        }
      };

  /** Returns the time, which is comparable only with other readings of this clock. */
  long nanos();

  /** Waits until that time; returns immediately if it has passed. */
  void awaitNanos(long atNanos) throws InterruptedException;
}
