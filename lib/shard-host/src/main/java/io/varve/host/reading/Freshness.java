package io.varve.host.reading;

import io.varve.log.OffsetWatcher;
import io.varve.process.SingleFlight;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound, provable from the log, on the staleness of what a copy shows.
 *
 * <pre>
 *   probe at t   reads the log's newest seq_no at a moment not before t
 *   shown(t)     the copy shows that seq_no, so it shows everything accepted up to t
 *   staleness    at most now - the latest t that is shown
 * </pre>
 *
 * <p>All times are those of this process's monotonic clock. Times of different machines are never
 * compared, and a pause of the process increases the bound by its duration.
 *
 * <p>Probes are made on demand, one at a time; requests that arrive during a probe share the next
 * one. A probe that fails, for example while the copy opens, fails only the requests that wait for
 * it. While reads arrive, a new probe begins after each quarter of the staleness that they allow,
 * so that most reads need not wait for one.
 */
public final class Freshness {

  private static final int PROBES_PER_AGE = 4;

  /** Asks a copy to show a seq_no sooner, if possible, until the wait for it completes. */
  @FunctionalInterface
  public interface Want {
    void show(long seqNo, CompletableFuture<Boolean> wait);
  }

  /** One probe of the log's end: {@code shown} completes once the copy shows that end. */
  private record Probe(long begunNanos, CompletableFuture<Boolean> shown) {}

  private final Supplier<CompletableFuture<Long>> logEnd;
  private final OffsetWatcher visible;
  private final Want want;
  private final LongSupplier nanos;
  private final SingleFlight<Probe> probes = new SingleFlight<>(this::probe);
  private boolean proven;
  private long shownNanos;
  private @Nullable Probe newest;

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
   * Completes with true once the copy is proven to show everything that was in the log {@code
   * ageNanos} before this call; with false if the copy ends before that; exceptionally if the log
   * cannot be read.
   */
  public CompletableFuture<Boolean> within(long ageNanos) {
    Probe last;
    boolean shows;
    long now = nanos.getAsLong();
    long needed = now - ageNanos;
    synchronized (this) {
      last = newest;
      shows = proven && shownNanos - needed >= 0;
    }
    if (shows) {
      boolean due = last == null || now - last.begunNanos > ageNanos / PROBES_PER_AGE;
      if (ageNanos > 0 && due && probes.isIdle()) {
        var _ = probes.run();
      }
      return CompletableFuture.completedFuture(true);
    }
    return last != null && !last.shown.isCompletedExceptionally() && last.begunNanos - needed >= 0
        ? last.shown
        : probes.run().thenCompose(Probe::shown);
  }

  /**
   * Completes when the log's end is known, whether or not the copy shows it, so that the next probe
   * may begin.
   */
  private CompletableFuture<Probe> probe() {
    Probe probe = new Probe(nanos.getAsLong(), new CompletableFuture<>());
    synchronized (this) {
      newest = probe;
    }
    try {
      return logEnd
          .get()
          .thenApply(seqNo -> {
            show(probe, seqNo);
            return probe;
          })
          .whenComplete((_, failure) -> {
            if (failure != null) {
              probe.shown.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException | Error e) {
      probe.shown.completeExceptionally(e);
      throw e;
    }
  }

  private void show(Probe probe, long seqNo) {
    CompletableFuture<Boolean> reached = visible.reached(seqNo);
    if (!reached.isDone()) {
      want.show(seqNo, reached);
    }
    var _ =
        reached.thenAccept(shown -> {
          if (shown) {
            shown(probe.begunNanos);
          }
          probe.shown.complete(shown);
        });
  }

  private synchronized void shown(long begunNanos) {
    if (!proven || begunNanos - shownNanos > 0) {
      shownNanos = begunNanos;
      proven = true;
    }
  }
}
