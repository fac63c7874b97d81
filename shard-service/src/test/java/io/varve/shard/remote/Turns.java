package io.varve.shard.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs real code as actors of a seeded history. Each actor has a thread, and only one of them runs
 * at a time, up to its next call of {@link #next}. The next actor is drawn at random.
 */
final class Turns implements AutoCloseable {

  /** The code of an actor. */
  interface Body {
    void run() throws Exception;
  }

  private final class Actor {
    final Semaphore go = new Semaphore(0);
    final Semaphore stopped = new Semaphore(0);
    final Thread thread;
    volatile boolean ended;

    Actor(Body body) {
      thread =
          Thread.ofVirtual()
              .unstarted(() -> {
                try {
                  go.acquire();
                  body.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } catch (Exception | AssertionError e) {
                  failures.add(e);
                } finally {
                  ended = true;
                  stopped.release();
                }
              });
    }
  }

  private final Random random;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final double persistence;
  private @Nullable Actor last;
  private volatile @Nullable Actor running;

  Turns(long seed) {
    random = new Random(seed);
    // In some histories one actor takes many steps while the others wait.
    persistence = random.nextDouble();
  }

  void actor(Body body) {
    Actor made = new Actor(body);
    made.thread.start();
    actors.add(made);
  }

  List<Throwable> failures() {
    return failures;
  }

  /** Called by the running actor: its step is over. */
  void next() {
    Actor me = running;
    if (me == null || !me.thread.equals(Thread.currentThread())) {
      return;
    }
    me.stopped.release();
    try {
      me.go.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the history is over", e);
    }
  }

  /** Runs code of the test between two steps of the actors. */
  <T> T aside(Callable<T> watching) {
    try {
      return watching.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** One step of one actor; false when all have ended. */
  boolean step() throws InterruptedException {
    List<Actor> alive = actors.stream().filter(actor -> !actor.ended).toList();
    if (alive.isEmpty()) {
      return false;
    }
    Actor before = last;
    Actor chosen =
        before != null && alive.contains(before) && random.nextDouble() < persistence
            ? before
            : alive.get(random.nextInt(alive.size()));
    last = chosen;
    running = chosen;
    chosen.go.release();
    chosen.stopped.acquire();
    running = null;
    return true;
  }

  @Override
  public void close() {
    actors.forEach(actor -> actor.thread.interrupt());
  }
}
