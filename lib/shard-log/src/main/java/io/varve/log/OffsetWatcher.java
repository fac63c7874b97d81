package io.varve.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number that only rises (an offset or a seq_no up to which something is done), and those who
 * wait for it to get somewhere.
 *
 * <p>INVARIANT: never goes back. Waiters are released outside the lock, by the thread that advances
 * or closes.
 */
public final class OffsetWatcher implements AutoCloseable {

  private record Waiter(long target, CompletableFuture<Boolean> reached)
      implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      return Long.compare(target, other.target);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private volatile long current;
  private boolean closed;

  public OffsetWatcher(long initial) {
    this.current = initial;
  }

  public long current() {
    return current;
  }

  /** Smaller values change nothing. */
  public void advanceTo(long value) {
    List<Waiter> released = new ArrayList<>();
    lock.lock();
    try {
      if (value <= current) {
        return;
      }
      current = value;
      while (!waiters.isEmpty() && waiters.peek().target() <= value) {
        released.add(waiters.poll());
      }
    } finally {
      lock.unlock();
    }
    released.forEach(waiter -> waiter.reached().complete(true));
  }

  /**
   * Completes with true when the target is reached, with false when the watcher closes before. Who
   * waits no more says so with {@link #forget}: a target may never come.
   */
  public CompletableFuture<Boolean> reached(long target) {
    lock.lock();
    try {
      if (target <= current || closed) {
        return CompletableFuture.completedFuture(target <= current);
      }
      Waiter waiter = new Waiter(target, new CompletableFuture<>());
      waiters.add(waiter);
      return waiter.reached();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the target was reached in time, and before the watcher closed. */
  public boolean await(long target, Duration timeout) throws InterruptedException {
    if (target <= current) {
      return true;
    }
    CompletableFuture<Boolean> reached = reached(target);
    try {
      return reached.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return target <= current;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      forget(reached);
    }
  }

  /** Nobody waits for that any more; it completes with false unless it is done. */
  public void forget(CompletableFuture<Boolean> reached) {
    if (reached.complete(false)) {
      forgetCompleted();
    }
  }

  /** How many wait for an offset. */
  public int waiting() {
    lock.lock();
    try {
      return (int) waiters.stream().filter(waiter -> !waiter.reached().isDone()).count();
    } finally {
      lock.unlock();
    }
  }

  private void forgetCompleted() {
    lock.lock();
    try {
      waiters.removeIf(waiter -> waiter.reached().isDone());
    } finally {
      lock.unlock();
    }
  }

  /** Releases all who wait: what they wait for will not come. */
  @Override
  public void close() {
    List<Waiter> released;
    lock.lock();
    try {
      closed = true;
      released = new ArrayList<>(waiters);
      waiters.clear();
    } finally {
      lock.unlock();
    }
    released.forEach(waiter -> waiter.reached().complete(false));
  }
}
