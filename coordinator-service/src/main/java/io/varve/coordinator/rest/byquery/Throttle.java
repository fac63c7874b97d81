package io.varve.coordinator.rest.byquery;

import io.varve.process.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Holds a worker back to so many documents a second: after a batch of n documents the next may
 * begin n / rate seconds after that batch began. The rate can be changed while somebody waits: a
 * higher one holds at once, a lower one holds back no longer than was announced, since what is read
 * from stays open only for so long.
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
   * @param perSecond infinite for as fast as it goes
   */
  Throttle(float perSecond, Ticker clock) {
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Now, by the clock of this throttle. */
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

  /** Nobody is held back any more. */
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
   * Waits until the batch after one of {@code documents} that began then may begin.
   *
   * @param mostMillis how long after the beginning it may begin in any case
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

  /** Waits so long, or until nobody is held back any more. */
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

  /** How long a batch of so many documents holds the next one back at most. */
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
