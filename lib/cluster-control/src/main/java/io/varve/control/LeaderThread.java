package io.varve.control;

import io.varve.process.SteadyTimer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on a thread of its own, which logs a defect of one task and goes on with the next. */
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
      LOG.debug("closed, so this is not done: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void repeat(Runnable task, long pauseMillis) {
    // Its future only ends with this loop: the timer logs what a task throws.
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
