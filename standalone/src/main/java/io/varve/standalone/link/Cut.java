package io.varve.standalone.link;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Holds the threads that would forward data while the link is cut. */
final class Cut {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition mended = lock.newCondition();
  private boolean cut;

  void set(boolean now) {
    lock.lock();
    try {
      cut = now;
      mended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void awaitMended() throws InterruptedException {
    lock.lock();
    try {
      while (cut) {
        mended.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
