package io.varve.node.reading;

import io.varve.log.OffsetWatcher;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a copy can prove of how old that is which it shows.
 *
 * <pre>
 *   a look     begun at t: the log's newest seq_no at a moment not before t
 *   shown(t)   the copy shows that seq_no: it shows all that was accepted up to t
 *   age        now - the latest t that is shown
 * </pre>
 *
 * <p>All times are of this process's own clock that only counts: nothing is compared between
 * machines, and a copy that was stopped for a while and goes on finds its proof grown old.
 *
 * <p>Looks are made when somebody asks, one at a time; those who ask meanwhile share the next one.
 * While reads come, a new look begins each quarter of the age that they allow, ahead of need, so
 * that most find their proof made.
 */
public final class Freshness {

  private static final int LOOKS_PER_AGE = 4;

  /** Asks a copy to show a seq_no sooner, if it can, as long as the wait for it is not done. */
  @FunctionalInterface
  public interface Want {
    void show(long seqNo, CompletableFuture<Boolean> wait);
  }

  /** One look at the log's end. */
  private static final class Look {
    final CompletableFuture<Boolean> shown = new CompletableFuture<>();
    long begunNanos;
  }

  private final Supplier<CompletableFuture<Long>> logEnd;
  private final OffsetWatcher visible;
  private final Want want;
  private final LongSupplier nanos;
  private boolean proven;
  private long shownNanos;
  private @Nullable Look newest;
  private @Nullable Look reading;
  private @Nullable Look next;

  /**
   * @param logEnd the newest seq_no that is in the log after the call
   */
  public Freshness(
      Supplier<CompletableFuture<Long>> logEnd,
      OffsetWatcher visible,
      Want want,
      LongSupplier nanos) {
    this.logEnd = logEnd;
    this.visible = visible;
    this.want = want;
    this.nanos = nanos;
  }

  /**
   * Completes with true when the copy is proven to show all that was in the log {@code ageNanos}
   * before this call; with false when it ends before, or exceptionally when the log can't be read.
   */
  public CompletableFuture<Boolean> within(long ageNanos) {
    Look begin = null;
    CompletableFuture<Boolean> answer;
    synchronized (this) {
      long now = nanos.getAsLong();
      long needed = now - ageNanos;
      Look last = newest;
      if (proven && shownNanos - needed >= 0) {
        answer = CompletableFuture.completedFuture(true);
        boolean due = last == null || now - last.begunNanos > ageNanos / LOOKS_PER_AGE;
        if (ageNanos > 0 && due && reading == null) {
          begin = begun(new Look(), now);
        }
      } else if (last != null
          && !last.shown.isCompletedExceptionally()
          && last.begunNanos - needed >= 0) {
        answer = last.shown;
      } else if (reading == null) {
        begin = begun(new Look(), now);
        answer = begin.shown;
      } else {
        Look queued = next == null ? new Look() : next;
        next = queued;
        answer = queued.shown;
      }
    }
    if (begin != null) {
      read(begin);
    }
    return answer;
  }

  private Look begun(Look look, long now) {
    look.begunNanos = now;
    reading = look;
    newest = look;
    return look;
  }

  private void read(Look look) {
    var _ =
        logEnd
            .get()
            .whenComplete((seqNo, failure) -> {
              readNext();
              if (failure != null) {
                look.shown.completeExceptionally(failure);
              } else {
                show(look, seqNo);
              }
            });
  }

  private void readNext() {
    Look begin = null;
    synchronized (this) {
      reading = null;
      Look queued = next;
      if (queued != null) {
        next = null;
        begin = begun(queued, nanos.getAsLong());
      }
    }
    if (begin != null) {
      read(begin);
    }
  }

  private void show(Look look, long seqNo) {
    CompletableFuture<Boolean> reached = visible.reached(seqNo);
    if (!reached.isDone()) {
      want.show(seqNo, reached);
    }
    var _ =
        reached.thenAccept(shown -> {
          if (shown) {
            shown(look.begunNanos);
          }
          look.shown.complete(shown);
        });
  }

  private synchronized void shown(long begunNanos) {
    if (!proven || begunNanos - shownNanos > 0) {
      shownNanos = begunNanos;
      proven = true;
    }
  }
}
