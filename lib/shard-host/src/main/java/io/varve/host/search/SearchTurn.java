package io.varve.host.search;

import io.varve.host.search.SearchHeaders.Caller;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One search from its arrival: its cancellation, its time limits and its measured times. */
final class SearchTurn {

  private final NodeTasks.Running task;
  private final Caller caller;
  private final LongSupplier nanoTime;
  private final long arrivedNanos;
  private volatile boolean counts;
  private volatile long tookNanos = -1;

  /**
   * @param task under which the search is listed and cancelled
   * @param arrivedNanos start of the caller's time limits
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

  /** Whether the caller no longer waits. */
  boolean isExpired() {
    return caller.patienceMillis() > 0
        && ageNanos() > TimeUnit.MILLISECONDS.toNanos(caller.patienceMillis());
  }

  /** Whether the search is cancelled or its caller no longer waits. */
  boolean isOver() {
    return task.cancelled() || isExpired();
  }

  /** The time left until the shard returns partial results; 0 for no limit. */
  long timeoutMillis() {
    return caller.timeoutMillis() <= 0
        ? 0
        : Math.max(1, caller.timeoutMillis() - TimeUnit.NANOSECONDS.toMillis(ageNanos()));
  }

  /**
   * Called when documents are searched: only the duration of such a search is a sample of the
   * node's load, not that of a cached response.
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

  /** The time on a worker; -1 if it was not measured. */
  long tookNanos() {
    return tookNanos;
  }
}
