package io.varve.load;

/**
 * When the bulks of a load are sent: as fast as the clients can, or at a rate, at which bulk {@code
 * i} is due {@code i} intervals after the first. A late bulk does not delay those after it.
 */
sealed interface Pace {

  /** As fast as the clients can. */
  record Unlimited() implements Pace {
    @Override
    public void awaitTurn(int bulk) {
      // Each bulk is due at once.
    }
  }

  /** At a rate that begins at {@code beganNanos} of the clock. */
  record Steady(LoadClock clock, long beganNanos, double bulksPerSecond) implements Pace {
    @Override
    public void awaitTurn(int bulk) throws InterruptedException {
      long dueNanos = beganNanos + Math.round(bulk * 1e9 / bulksPerSecond);
      clock.sleepNanos(dueNanos - clock.nanos());
    }
  }

  /** Waits until a bulk, counted from 0, is due. */
  void awaitTurn(int bulk) throws InterruptedException;
}
