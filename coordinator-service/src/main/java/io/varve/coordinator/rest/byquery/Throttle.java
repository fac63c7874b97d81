package io.varve.coordinator.rest.byquery;

import io.varve.process.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits a worker to a rate of documents per second: after a batch of n documents, the next batch
 * may start n / rate seconds after the start of that batch. The rate can change while a worker
 * waits. A higher rate takes effect immediately. A lower rate never extends a wait beyond its
 * announced end, because the search context expires after that.
 */
final class Throttle {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Ticker clock;
  private float perSecond;
  private boolean ended;
  private long waitedNanos;
  private long waitingUntilNanos;
  private boolean waiting;

  /**
   * @param perSecond the rate; infinite for no limit
   */
  Throttle(float perSecond, Ticker clock) {
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Returns the current time of this throttle's clock. */
  long nanos() {
    return clock.nanos();
  }

  void change(float newPerSecond) {
    lock.lock();
    try {
      perSecond = newPerSecond;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all throttling. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the next batch may start.
   *
   * @param documents the size of the last batch
   * @param beganNanos the start of the last batch
   * @param mostMillis the upper bound on the time between the two starts
   */
  void await(long documents, long beganNanos, long mostMillis) throws InterruptedException {
    long mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    lock.lock();
    long from = clock.nanos();
    try {
      waiting = true;
      while (!ended) {
        waitingUntilNanos = beganNanos + Math.min(nanosFor(documents), mostNanos);
        long left = waitingUntilNanos - clock.nanos();
        if (left <= 0) {
          return;
        }
        changed.await(left, TimeUnit.NANOSECONDS);
      }
    } finally {
      waiting = false;
      waitedNanos += clock.nanos() - from;
      lock.unlock();
    }
  }

  /** Waits for this time, or until throttling ends. */
  void pause(long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!ended && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private long nanosFor(long documents) {
    return Float.isInfinite(perSecond)
        ? 0
        : (long) (documents / (double) perSecond * TimeUnit.SECONDS.toNanos(1));
  }

  /** Returns the longest time for which a batch of this size delays the next batch. */
  long millisFor(long documents) {
    lock.lock();
    try {
      return TimeUnit.NANOSECONDS.toMillis(nanosFor(documents));
    } finally {
      lock.unlock();
    }
  }

  float perSecond() {
    lock.lock();
    try {
      return perSecond;
    } finally {
      lock.unlock();
    }
  }

  long waitedMillis() {
    lock.lock();
    try {
      return TimeUnit.NANOSECONDS.toMillis(waitedNanos);
    } finally {
      lock.unlock();
    }
  }

  long leftMillis() {
    lock.lock();
    try {
      return waiting
          ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(waitingUntilNanos - clock.nanos()))
          : 0;
    } finally {
      lock.unlock();
    }
  }
}
