package io.varve.coordinator.cluster;

import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until this coordinator has read the cluster log up to an end that the log had after the
 * wait began. It asks the broker for the end, because a leader may have been deposed without
 * knowing it.
 *
 * <p>One request for the end is in flight at a time. Waits that begin during that time share the
 * next request, so a bulk makes few requests, however many shards it writes to.
 */
public final class CurrentState implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CurrentState.class);

  private final PartitionLog log;
  private final OffsetWatcher position;
  private final ExecutorService blocking;
  private final Ticker ticker;
  private final Object lock = new Object();
  private boolean asking;
  private @Nullable CompletableFuture<Long> next;

  /**
   * @param position the offset up to which this coordinator has read and applied the log
   */
  CurrentState(PartitionLog log, OffsetWatcher position, ExecutorService blocking, Ticker ticker) {
    this.log = log;
    this.position = position;
    this.blocking = blocking;
    this.ticker = ticker;
  }

  /** Waits; returns false if the log does not answer or is not read in time. */
  public boolean await(Duration timeout) throws InterruptedException {
    Deadline deadline = Deadline.in(timeout, ticker);
    try {
      long end = end().get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
      return position.await(end, deadline.left());
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the end of the cluster log is unknown", e);
      return false;
    }
  }

  /** The end of the log at a moment after this call. */
  CompletableFuture<Long> end() {
    CompletableFuture<Long> end = new CompletableFuture<>();
    synchronized (lock) {
      if (asking) {
        next = next == null ? end : next;
        return next;
      }
      asking = true;
    }
    begin(end);
    return end;
  }

  private void begin(CompletableFuture<Long> end) {
    try {
      blocking.execute(() -> ask(end));
    } catch (RejectedExecutionException e) {
      end.completeExceptionally(e);
      beginNext();
    }
  }

  private void ask(CompletableFuture<Long> end) {
    try {
      end.complete(log.endOffset());
    } catch (LogException | RuntimeException e) {
      end.completeExceptionally(e);
    } finally {
      beginNext();
    }
  }

  private void beginNext() {
    CompletableFuture<Long> begun;
    synchronized (lock) {
      begun = next;
      next = null;
      asking = begun != null;
    }
    if (begun != null) {
      begin(begun);
    }
  }

  /** Ends the request that is in flight. */
  @Override
  public void close() {
    blocking.shutdownNow();
  }
}
