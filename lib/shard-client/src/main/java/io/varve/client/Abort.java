package io.varve.client;

import org.jspecify.annotations.Nullable;

/**
 * Allows another thread to end one call to a node. Aborting is final: a call that begins afterwards
 * ends immediately. Thread-safe.
 */
public final class Abort {

  private @Nullable Runnable end;
  private boolean aborted;

  /** Fails the call in progress, if there is one. Must not block. */
  public void abort() {
    Runnable now;
    synchronized (this) {
      aborted = true;
      now = end;
      end = null;
    }
    if (now != null) {
      now.run();
    }
  }

  /**
   * Defines how the call is ended.
   *
   * @param newEnd run at most once; immediately if the call was aborted already
   */
  public void endsBy(Runnable newEnd) {
    synchronized (this) {
      if (!aborted) {
        end = newEnd;
        return;
      }
    }
    newEnd.run();
  }

  public synchronized boolean isAborted() {
    return aborted;
  }
}
