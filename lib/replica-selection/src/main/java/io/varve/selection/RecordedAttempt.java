package io.varve.selection;

import io.varve.selection.ExpectedTimes.Work;
import java.util.concurrent.atomic.AtomicBoolean;

/** An {@link Attempt} that records its sending and its outcome in the selection state. */
final class RecordedAttempt implements Attempt {

  private final SelectionState state;
  private final NodeView view;
  private final Purpose purpose;
  private final Work work;
  private final long sentNanos;
  private final long expectedNanos;
  private final AtomicBoolean ended = new AtomicBoolean();

  RecordedAttempt(SelectionState state, NodeView view, Purpose purpose, Work work) {
    this.state = state;
    this.view = view;
    this.purpose = purpose;
    this.work = work;
    this.sentNanos = state.nowNanos();
    this.expectedNanos = state.expected().nanos(work);
  }

  @Override
  public String node() {
    return view.node();
  }

  @Override
  public long expectedNanos() {
    return expectedNanos;
  }

  @Override
  public void answered(long tookNanos, ExecutorReport report) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    Moment moment = state.moment();
    view.answered(sentNanos, moment, report, tookNanos > 0);
    if (tookNanos > 0) {
      state.expected().took(work, tookNanos);
    }
    shardAnswered(moment.nowNanos());
  }

  @Override
  public void failed(Failure failure) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    long now = state.nowNanos();
    view.failed(failure, sentNanos, now);
    if (failure == Failure.LOST) {
      shardAnswered(now);
    }
  }

  /**
   * Records the time from the first request for the shard to its first answer, whichever copy gave
   * it.
   */
  private void shardAnswered(long now) {
    long measure = expectedNanos > 0 ? expectedNanos : state.expected().nanos(work);
    if (purpose == Purpose.FIRST && measure > 0) {
      state.hedges().answered(now - sentNanos, measure);
    }
  }
}
