package io.varve.store;

import java.util.Collection;

/** Waits for threads that must not outlive their owner, such as those that write into a folder. */
public final class Joining {

  private Joining() {}

  /** Returns when all threads have ended; an interrupt is preserved for the caller. */
  public static void uninterruptibly(Collection<Thread> threads) {
    boolean interrupted = Thread.interrupted();
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
