package io.varve.client.routing;

import io.varve.client.CallTerms;
import io.varve.selection.Failure;
import java.util.Objects;

/**
 * Runs the only attempt at a shard on the calling thread, so that no other thread has to be started
 * and awaited. The cancellation of the search interrupts the thread.
 *
 * <p>INVARIANT: the thread is interrupted only while it runs the attempt, and the interrupt is
 * cleared before {@link #run} ends.
 */
final class SoleTrial<T> {

  private final CopyTrials trials;
  private final CopyTrials.Search search;
  private final CopyTrial<T> trial;
  private final Thread caller = Thread.currentThread();
  private State state = State.RUNNING;

  private enum State {
    RUNNING,
    CANCELLED,
    OVER
  }

  SoleTrial(CopyTrials trials, CopyTrials.Search search, CopyTrial<T> trial) {
    this.trials = trials;
    this.search = search;
    this.trial = trial;
  }

  /**
   * @throws io.varve.rpc.ApiException with the reason of the cancellation, if the search was
   *     cancelled
   */
  T run(CallTerms terms, ShardTrials.Question<T> question) throws InterruptedException {
    Runnable cancel = this::cancel;
    search.waiting().add(cancel);
    try {
      return trial.run(terms, question);
    } catch (InterruptedException | RuntimeException e) {
      if (wasCancelled()) {
        Objects.requireNonNull(search.plan().task()).check();
      }
      throw e;
    } finally {
      search.waiting().remove(cancel);
      end();
    }
  }

  private void cancel() {
    synchronized (this) {
      if (state != State.RUNNING) {
        return;
      }
      state = State.CANCELLED;
      caller.interrupt();
    }
    trial.giveUp(Failure.ABANDONED);
    trials.cancel(trial.copy().node(), trial.id(), () -> {});
  }

  private synchronized boolean wasCancelled() {
    return state == State.CANCELLED;
  }

  private synchronized void end() {
    if (state == State.CANCELLED) {
      var _ = Thread.interrupted();
    }
    state = State.OVER;
  }
}
