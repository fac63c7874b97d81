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
 * A monotonic position (an offset or a seq_no up to which work is done) and the futures that wait
 * for it.
 *
 * <p>INVARIANT: the position never decreases. Waiters are released outside the lock, by the thread
 * that advances or closes.
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

  /** Advances the position; smaller values are ignored. */
  public void advanceTo(long value) {
    // Parallel callers often come after one that has advanced further.
    if (value <= current) {
      return;
    }
    List<Waiter> released = List.of();
    lock.lock();
    try {
      if (value <= current) {
        return;
      }
      current = value;
      if (!waiters.isEmpty()) {
        released = pollUpTo(value);
      }
    } finally {
      lock.unlock();
    }
    released.forEach(waiter -> waiter.reached().complete(true));
  }

  private List<Waiter> pollUpTo(long value) {
    List<Waiter> released = new ArrayList<>();
    while (!waiters.isEmpty() && waiters.peek().target() <= value) {
      released.add(waiters.poll());
    }
    return released;
  }

  /**
   * Completes with true when the target is reached, or with false if the watcher closes first.
   * Callers that stop waiting call {@link #forget}, since a target may never be reached.
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

  /** Returns whether the target was reached within the timeout and before the watcher closed. */
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

  /** Stops waiting; the future completes with false unless it is already done. */
  public void forget(CompletableFuture<Boolean> reached) {
    if (reached.complete(false)) {
      forgetCompleted();
    }
  }

  /** The number of waiters. */
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

  /** Releases all waiters: their targets will not be reached. */
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
