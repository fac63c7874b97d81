package io.varve.client.routing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads of one search that wait for copies; a cancellation of the search wakes all of them.
 */
final class Waiters {

  private final Set<Runnable> woken = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /** Wakes the waiter immediately if the search has already ended. */
  void add(Runnable wake) {
    woken.add(wake);
    if (over) {
      wake.run();
    }
  }

  void remove(Runnable wake) {
    woken.remove(wake);
  }

  void end() {
    over = true;
    woken.forEach(Runnable::run);
  }
}
