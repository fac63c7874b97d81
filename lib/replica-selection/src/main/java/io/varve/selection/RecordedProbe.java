package io.varve.selection;

import java.util.concurrent.atomic.AtomicBoolean;

/** A {@link Probe} in flight. */
final class RecordedProbe implements Probe {

  private final SelectionState state;
  private final NodeView view;
  private final long sentNanos;
  private final AtomicBoolean ended = new AtomicBoolean();

  RecordedProbe(SelectionState state, NodeView view, long sentNanos) {
    this.state = state;
    this.view = view;
    this.sentNanos = sentNanos;
  }

  @Override
  public String node() {
    return view.node();
  }

  @Override
  public void answered(ExecutorReport report) {
    if (ended.compareAndSet(false, true)) {
      Moment moment = state.moment();
      if (view.probeAnswered(report, moment)) {
        state.probeTimeout().answeredAfter(moment.nowNanos() - sentNanos);
      }
    }
  }

  @Override
  public void failed() {
    if (ended.compareAndSet(false, true)) {
      view.probeFailed(sentNanos, state.nowNanos());
    }
  }
}
