package io.varve.process;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task at most once at a time. Callers that arrive while it runs share the next run.
 *
 * <pre>
 *   IDLE     run()            -> RUNNING, this call's result
 *   RUNNING  run()            -> RUNNING, the next run's result, one for all callers
 *   RUNNING  the run ends     -> RUNNING with the next run if it was requested, else IDLE
 * </pre>
 *
 * INVARIANTS: a result comes from a run that began after the call. A run that fails, by its future
 * or by throwing before there is one, ends like any other and does not prevent the next run.
 */
public final class SingleFlight<T> {

  private final Supplier<CompletableFuture<T>> task;
  private boolean running;
  private @Nullable CompletableFuture<T> next;

  /**
   * @param task begins a run; its future ends the run
   */
  public SingleFlight(Supplier<CompletableFuture<T>> task) {
    this.task = task;
  }

  /** The result of a run that begins after this call. */
  public CompletableFuture<T> run() {
    CompletableFuture<T> result;
    synchronized (this) {
      if (running) {
        result = next == null ? new CompletableFuture<>() : next;
        next = result;
        return result;
      }
      running = true;
      result = new CompletableFuture<>();
    }
    begin(result);
    return result;
  }

  /** Whether no run is in progress or requested. */
  public synchronized boolean isIdle() {
    return !running;
  }

  /** A loop, so that runs that end immediately do not deepen the stack. */
  private void begin(CompletableFuture<T> first) {
    CompletableFuture<T> result = first;
    while (result != null) {
      CompletableFuture<T> mine = result;
      CompletableFuture<T> run = started();
      if (!run.isDone()) {
        var _ =
            run.whenComplete((value, failure) -> {
              CompletableFuture<T> following = ended();
              if (following != null) {
                begin(following);
              }
              complete(mine, value, failure);
            });
        return;
      }
      result = ended();
      var _ = run.whenComplete((value, failure) -> complete(mine, value, failure));
    }
  }

  private CompletableFuture<T> started() {
    try {
      return task.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized @Nullable CompletableFuture<T> ended() {
    CompletableFuture<T> following = next;
    next = null;
    running = following != null;
    return following;
  }

  private static <T> void complete(
      CompletableFuture<T> result, T value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
