package io.varve.control;

import java.util.concurrent.Executor;

/**
 * The event loop of a leader: runs tasks one after the other. Production uses a {@link
 * LeaderThread}; a simulation runs the tasks from its own queue.
 */
public interface LeaderLoop extends AutoCloseable {

  /** Enqueues a task; false when the loop is closed. */
  boolean execute(Runnable task);

  /** Runs a task immediately and then after each pause, until the loop is closed. */
  void repeat(Runnable task, long pauseMillis);

  /** A monotonic clock; only differences are meaningful. */
  long nowMillis();

  /** Runs blocking tasks outside of the loop. */
  Executor blocking();

  /** Ends repeated tasks; enqueued tasks still run. */
  @Override
  void close();
}
