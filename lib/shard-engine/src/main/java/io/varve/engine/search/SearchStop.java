package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.search.SearchStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Stops a search that timed out, which then returns partial results, or that was cancelled, which
 * then fails. Lucene checks it between blocks of documents, {@link StoppableReader} while iterating
 * terms and points.
 */
final class SearchStop implements QueryTimeout {

  /** Thrown to leave a search from within Lucene. */
  static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the search was stopped", null, false, false);
    }
  }

  private final LongSupplier nanoClock;
  private final long deadlineNanos;
  private final boolean limited;
  private final BooleanSupplier cancelled;

  /**
   * @param timeoutMillis 0 or less for none
   */
  SearchStop(long timeoutMillis, BooleanSupplier cancelled, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.limited = timeoutMillis > 0;
    this.deadlineNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    this.cancelled = cancelled;
  }

  @Override
  public boolean shouldExit() {
    return cancelled.getAsBoolean() || timedOut();
  }

  boolean timedOut() {
    return limited && nanoClock.getAsLong() - deadlineNanos > 0;
  }

  void check() {
    if (shouldExit()) {
      throw new StoppedException();
    }
  }

  /** A cancelled search must not return its partial results. */
  void refuseCancelled() {
    if (cancelled.getAsBoolean()) {
      throw new ApiException(
          400, "task_cancelled_exception", "cancelled task with reason: by user request");
    }
  }

  /** Returns a searcher for this search only, since a timeout is a property of the searcher. */
  IndexSearcher over(
      IndexSearcher searcher,
      SearchStatistics statistics,
      @Nullable SearchProfile profile,
      SearchSlices.Slicing slicing) {
    IndexSearcher own =
        new ShardIndexSearcher(
            StoppableReader.over(searcher.getIndexReader(), this),
            searcher,
            statistics,
            profile,
            slicing);
    own.setTimeout(this);
    return own;
  }
}
