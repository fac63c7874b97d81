package io.varve.host;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The current {@link Goal} of one place. The thread of the place waits here for a new goal or
 * another event. A new goal interrupts a start that it makes obsolete.
 */
final class PlaceGoal {

  /**
   * The goal at one moment.
   *
   * @param changes increases with each new goal and every other event
   */
  record Seen(Goal goal, long changes) {}

  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Goal goal;
  private long changes;
  private boolean starting;

  PlaceGoal(Goal goal, Thread thread) {
    this.goal = goal;
    this.thread = thread;
  }

  Seen read() {
    lock.lock();
    try {
      return new Seen(goal, changes);
    } finally {
      lock.unlock();
    }
  }

  /** Never blocks. */
  void want(Goal wanted) {
    lock.lock();
    try {
      if (wanted.equals(goal)) {
        return;
      }
      boolean obsolete =
          !(wanted instanceof Goal.Copy next
              && goal instanceof Goal.Copy before
              && next.sameAs(before));
      goal = wanted;
      changes++;
      if (obsolete && starting) {
        thread.interrupt();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Another event has happened: the thread then checks its copy again. */
  void lookAgain() {
    lock.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns false if the goal has already changed, because nothing would interrupt this start. */
  boolean beginStart(Goal.Copy assignment) {
    lock.lock();
    try {
      starting = isWanted(assignment);
      return starting;
    } finally {
      lock.unlock();
    }
  }

  void endStart() {
    lock.lock();
    try {
      starting = false;
    } finally {
      lock.unlock();
    }
  }

  boolean isObsolete(Goal.Copy assignment) {
    lock.lock();
    try {
      return !isWanted(assignment);
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(Goal.Copy assignment) {
    return goal instanceof Goal.Copy now && now.sameAs(assignment);
  }

  /** Waits for {@code millis}, or until the goal is no longer this assignment. */
  void awaitOther(Goal.Copy assignment, long millis) throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (nanos > 0 && isWanted(assignment)) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for {@code millis}, or until a change after {@code seen}. */
  void awaitChange(long seen, long millis) throws InterruptedException {
    if (millis <= 0) {
      return;
    }
    lock.lock();
    try {
      long nanos = millis == Long.MAX_VALUE ? millis : TimeUnit.MILLISECONDS.toNanos(millis);
      while (changes == seen && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
