package io.varve.load;

/**
 * When the bulks of a load are sent: bulk {@code i} is due {@code i} intervals after the beginning.
 * A late bulk does not delay those after it.
 *
 * @param beganNanos the beginning, by the clock
 * @param bulksPerSecond infinite: all bulks are due at once
 */
record Pace(LoadClock clock, long beganNanos, double bulksPerSecond) {

  /** As fast as the clients can. */
  static Pace unlimited() {
    return new Pace(LoadClock.SYSTEM, LoadClock.SYSTEM.nanos(), Double.POSITIVE_INFINITY);
  }

  /** Waits until a bulk, counted from 0, is due. */
  void awaitTurn(int bulk) throws InterruptedException {
    long dueNanos = beganNanos + Math.round(bulk * 1e9 / bulksPerSecond);
    clock.sleepNanos(dueNanos - clock.nanos());
  }
}
