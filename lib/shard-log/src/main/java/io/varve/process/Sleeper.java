package io.varve.process;

import java.util.concurrent.locks.LockSupport;

/** Suspends the current thread. */
@FunctionalInterface
public interface Sleeper {

  /** Sleeps by the clock of this process; returns early if the thread is interrupted. */
  Sleeper SYSTEM = LockSupport::parkNanos;

  void sleep(long nanos);
}
