package io.varve.process;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A single-threaded timer that logs exceptions of tasks and keeps repeating them: the JDK's
 * executor silently drops a repeated task that throws.
 */
public final class SteadyTimer extends ScheduledThreadPoolExecutor {

  private final String name;
  private final EssentialThreads threads;

  /** On a platform thread, which also gets processor time on a busy machine. */
  public SteadyTimer(String name) {
    this(name, EssentialThreads.ofThisProcess());
  }

  SteadyTimer(String name, EssentialThreads threads) {
    this(name, Thread.ofPlatform().name(name).daemon().factory(), threads);
  }

  /** On a virtual thread, for tasks that may be late while requests keep all processors busy. */
  public static SteadyTimer virtual(String name) {
    return new SteadyTimer(
        name, Thread.ofVirtual().name(name).factory(), EssentialThreads.ofThisProcess());
  }

  private SteadyTimer(String name, ThreadFactory factory, EssentialThreads threads) {
    super(1, factory);
    this.name = name;
    this.threads = threads;
    setRemoveOnCancelPolicy(true);
  }

  private Runnable steady(Runnable task) {
    return () -> threads.step(name, task);
  }

  /** {@link #execute} calls this too. */
  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    return super.schedule(steady(task), delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return super.scheduleAtFixedRate(steady(task), initialDelay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    return super.scheduleWithFixedDelay(steady(task), initialDelay, delay, unit);
  }
}
