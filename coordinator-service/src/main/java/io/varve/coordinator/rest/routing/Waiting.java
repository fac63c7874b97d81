package io.varve.coordinator.rest.routing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who waits for copies in one search: woken when nobody wants its answer any more. */
final class Waiting {

  private final Set<Runnable> woken = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /** Wakes at once where it is over already. */
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
