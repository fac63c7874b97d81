package io.varve.coordinator.cluster;

import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.process.Deadline;
import io.varve.process.SingleFlight;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until this coordinator has read the cluster log up to an end that the log had after the
 * wait began. It asks the broker for the end, because a leader may have been deposed without
 * knowing it.
 *
 * <p>Waits share requests for the end ({@link SingleFlight}), so a bulk makes few of them, however
 * many shards it writes to.
 */
public final class CurrentState implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CurrentState.class);

  private final PartitionLog log;
  private final OffsetWatcher position;
  private final ExecutorService blocking;
  private final Ticker ticker;
  private final SingleFlight<Long> ends = new SingleFlight<>(this::request);

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
    return ends.run();
  }

  private CompletableFuture<Long> request() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return log.endOffset();
          } catch (LogException e) {
            throw new CompletionException(e);
          }
        },
        blocking);
  }

  /** Ends the request that is in flight. */
  @Override
  public void close() {
    blocking.shutdownNow();
  }
}
