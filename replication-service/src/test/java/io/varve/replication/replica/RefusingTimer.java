package io.varve.replication.replica;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's timer that refuses tasks of segment replicas on request. */
final class RefusingTimer extends ScheduledThreadPoolExecutor {

  private final AtomicInteger refusals = new AtomicInteger();

  RefusingTimer() {
    super(1);
  }

  /** Refuses that many of the next tasks that threads of segment replicas schedule. */
  void refuse(int tasks) {
    refusals.set(tasks);
  }

  /** The number of tasks still to be refused. */
  int refusalsLeft() {
    return refusals.get();
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    boolean ofReplica = Thread.currentThread().getName().startsWith("segment-replica-");
    if (ofReplica && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new RejectedExecutionException("refused on purpose");
    }
    return super.schedule(task, delay, unit);
  }
}
