package io.varve.selection;

import java.util.concurrent.atomic.AtomicBoolean;

/** A {@link Probe} in flight. */
final class OneProbe implements Probe {

  private final Books books;
  private final NodeView view;
  private final long sentNanos;
  private final AtomicBoolean ended = new AtomicBoolean();

  OneProbe(Books books, NodeView view, long sentNanos) {
    this.books = books;
    this.view = view;
    this.sentNanos = sentNanos;
  }

  @Override
  public String node() {
    return view.node();
  }

  @Override
  public void answered(NodeReport report) {
    if (ended.compareAndSet(false, true)) {
      Moment moment = books.moment();
      if (view.probeAnswered(report, moment)) {
        books.patience().answeredAfter(moment.nowNanos() - sentNanos);
      }
    }
  }

  @Override
  public void failed() {
    if (ended.compareAndSet(false, true)) {
      view.probeFailed(sentNanos, books.nowNanos());
    }
  }
}
