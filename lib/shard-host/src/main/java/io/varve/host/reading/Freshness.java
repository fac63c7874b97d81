package io.varve.host.reading;

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
 * A look that can't be made, as while the copy opens, fails those who asked for it and no others.
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

  /** One look at the log's end: {@code shown} once the copy shows what was there. */
  private record Look(long begunNanos, CompletableFuture<Boolean> shown) {}

  private final Supplier<CompletableFuture<Long>> logEnd;
  private final OffsetWatcher visible;
  private final Want want;
  private final LongSupplier nanos;
  private final SingleFlight<Look> looks = new SingleFlight<>(this::look);
  private boolean proven;
  private long shownNanos;
  private @Nullable Look newest;

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
    Look last;
    boolean shows;
    long now = nanos.getAsLong();
    long needed = now - ageNanos;
    synchronized (this) {
      last = newest;
      shows = proven && shownNanos - needed >= 0;
    }
    if (shows) {
      boolean due = last == null || now - last.begunNanos > ageNanos / LOOKS_PER_AGE;
      if (ageNanos > 0 && due && looks.isIdle()) {
        var _ = looks.run();
      }
      return CompletableFuture.completedFuture(true);
    }
    return last != null && !last.shown.isCompletedExceptionally() && last.begunNanos - needed >= 0
        ? last.shown
        : looks.run().thenCompose(Look::shown);
  }

  /** Ends when the log's end is known: nothing that the copy still lacks holds up the next look. */
  private CompletableFuture<Look> look() {
    Look look = new Look(nanos.getAsLong(), new CompletableFuture<>());
    synchronized (this) {
      newest = look;
    }
    try {
      return logEnd
          .get()
          .thenApply(seqNo -> {
            show(look, seqNo);
            return look;
          })
          .whenComplete((_, failure) -> {
            if (failure != null) {
              look.shown.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException | Error e) {
      look.shown.completeExceptionally(e);
      throw e;
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
