package io.varve.host.search;

import io.varve.host.search.SearchHeaders.Caller;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One search of a caller, from its arrival on: what ends it early, and what is told of its time.
 */
final class SearchTurn {

  private final NodeTasks.Running task;
  private final Caller caller;
  private final LongSupplier nanoTime;
  private final long arrivedNanos;
  private volatile boolean counts;
  private volatile long tookNanos = -1;

  /**
   * @param task to be seen and cancelled
   * @param arrivedNanos from when on the caller's times count
   */
  SearchTurn(NodeTasks.Running task, Caller caller, LongSupplier nanoTime, long arrivedNanos) {
    this.task = task;
    this.caller = caller;
    this.nanoTime = nanoTime;
    this.arrivedNanos = arrivedNanos;
  }

  NodeTasks.Running task() {
    return task;
  }

  Caller caller() {
    return caller;
  }

  /** Nanoseconds since the arrival. */
  long ageNanos() {
    return nanoTime.getAsLong() - arrivedNanos;
  }

  /** Whether the caller does not wait any more. */
  boolean isExpired() {
    return caller.patienceMillis() > 0
        && ageNanos() > TimeUnit.MILLISECONDS.toNanos(caller.patienceMillis());
  }

  /** Whether nobody wants the answer any more. */
  boolean isOver() {
    return task.cancelled() || isExpired();
  }

  /** What is left of the time after which the shard shows what it has; 0 for no limit. */
  long timeoutMillis() {
    return caller.timeoutMillis() <= 0
        ? 0
        : Math.max(1, caller.timeoutMillis() - TimeUnit.NANOSECONDS.toMillis(ageNanos()));
  }

  /**
   * Documents are looked at: the time that this takes says something of the node. What is answered
   * from memory, or is no search, does not.
   */
  void counts() {
    counts = true;
  }

  boolean isCounted() {
    return counts;
  }

  void took(long nanos) {
    tookNanos = nanos;
  }

  /** How long a worker had it, -1 where that is not told. */
  long tookNanos() {
    return tookNanos;
  }
}
