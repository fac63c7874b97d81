package io.varve.control;

import java.util.concurrent.Executor;

/**
 * Where a leader works: one task after another, by one clock. Production runs a {@link
 * LeaderThread}; a simulation runs the tasks of its own queue.
 */
public interface LeaderLoop extends AutoCloseable {

  /** Enqueues a task; false when the loop is closed. */
  boolean execute(Runnable task);

  /** Runs a task at once and then again after each pause, until the loop is closed. */
  void repeat(Runnable task, long pauseMillis);

  /** A clock that never goes back; only its differences have a meaning. */
  long nowMillis();

  /** Runs what may block, outside of the loop. */
  Executor blocking();

  /** Ends the repeated tasks; those that are enqueued still run. */
  @Override
  void close();
}
