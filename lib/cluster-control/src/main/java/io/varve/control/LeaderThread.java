package io.varve.control;

import io.varve.process.SteadyTimer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leader loop on a thread of its own. It logs an exception of a task and continues with the next
 * task.
 */
public final class LeaderThread implements LeaderLoop {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderThread.class);

  private final ScheduledExecutorService thread = new SteadyTimer("cluster-leader");
  private final LongSupplier clockMillis;
  private final Executor blocking;

  public LeaderThread(LongSupplier clockMillis, Executor blocking) {
    this.clockMillis = clockMillis;
    this.blocking = blocking;
  }

  @Override
  public boolean execute(Runnable task) {
    try {
      thread.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the leader's loop is closed, dropping a task: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void repeat(Runnable task, long pauseMillis) {
    // The future is not needed: the loop ends the repetition, and exceptions of the task are
    // logged.
    var _ = thread.scheduleWithFixedDelay(task, 0, pauseMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public long nowMillis() {
    return clockMillis.getAsLong();
  }

  @Override
  public Executor blocking() {
    return blocking;
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
