package io.varve.host.search;

import io.varve.cluster.stats.Pool;
import io.varve.process.FatalErrors;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.selection.ExecutorReport;
import io.varve.selection.SearchLoad;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The threads on which this node searches: a fixed number of workers and a bounded queue. A search
 * that finds the queue full is refused with 429 before any work is done. A search whose caller's
 * deadline passed in the queue is dropped; a cancelled search leaves the queue.
 *
 * <p>The workers are platform threads: searches keep processors busy, and other responses, in
 * particular rejections, must not wait for them. {@link SearchLoad} is reported to callers.
 */
public final class SearchPool implements AutoCloseable {

  private static final long IDLE_SECONDS = 30;

  private final Size size;
  private final LongSupplier nanoTime;
  private final SearchLoad load;
  private final ThreadPoolExecutor workers;
  private final LongAdder rejected = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();

  /**
   * @param workers maximum number of concurrent searches
   * @param queue searches that may wait for a worker
   */
  public record Size(int workers, int queue) {

    public static final int MOST_WORKERS = 1_000;
    public static final int MOST_WAITING = 1_000_000;

    public Size {
      if (workers < 1 || workers > MOST_WORKERS) {
        throw new IllegalArgumentException(
            "thread_pool.search.size must be 1 to " + MOST_WORKERS + ", was " + workers);
      }
      if (queue < 1 || queue > MOST_WAITING) {
        throw new IllegalArgumentException(
            "thread_pool.search.queue_size must be 1 to " + MOST_WAITING + ", was " + queue);
      }
    }

    /** 1.5 times the number of processors, plus one. */
    public static int usualWorkers(int processors) {
      return processors * 3 / 2 + 1;
    }
  }

  /** The work of one search. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws Exception;
  }

  public SearchPool(Size size, LongSupplier nanoTime) {
    this.size = size;
    this.nanoTime = nanoTime;
    this.load = new SearchLoad(size.workers, nanoTime);
    this.workers =
        new ThreadPoolExecutor(
            size.workers,
            size.workers,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(size.queue),
            Thread.ofPlatform().name("search-", 0).daemon().factory());
    workers.allowCoreThreadTimeOut(true);
  }

  /** Reports the statistics of this executor as those of {@code pool}. */
  public void shownAs(Pool pool) {
    pool.by(workers, size.queue, waitedNanos::sum);
    pool.rejections(rejected::sum);
  }

  SearchTurn turn(NodeTasks.Running task, SearchHeaders.Caller caller, long arrivedNanos) {
    return new SearchTurn(task, caller, nanoTime, arrivedNanos);
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** Runs the work on a worker; returns its result or throws its exception. */
  <T> T run(SearchTurn turn, Work<T> work) throws InterruptedException {
    SearchLoad.Task counted = load.submitted(turn.caller().expectedNanos());
    FutureTask<T> future = new FutureTask<>(() -> begun(turn, counted, work));
    try {
      workers.execute(future);
    } catch (RejectedExecutionException e) {
      counted.failed();
      rejected.increment();
      throw new ApiException(refusal());
    }
    turn.task().onCancel(() -> leave(future, counted));
    try {
      return future.get();
    } catch (CancellationException e) {
      cancelled.increment();
      throw new ApiException(cancelled());
    } catch (ExecutionException e) {
      throw unwrapped(e);
    } catch (InterruptedException e) {
      leave(future, counted);
      throw e;
    }
  }

  /** Removes the search from the queue; a running search is stopped by its task. */
  private void leave(FutureTask<?> future, SearchLoad.Task counted) {
    if (workers.remove(future)) {
      counted.failed();
      future.cancel(false);
    }
  }

  private <T> T begun(SearchTurn turn, SearchLoad.Task counted, Work<T> work) throws Exception {
    waitedNanos.add(turn.ageNanos());
    counted.started();
    try {
      check(turn);
      T done = work.run();
      if (turn.isCounted()) {
        turn.took(counted.finished());
      }
      return done;
    } catch (Exception e) {
      if (turn.isCounted() && turn.task().cancelled()) {
        cancelled.increment();
        counted.cancelled();
      }
      throw isStoppedForLateness(turn, e) ? late(turn, "was searched") : e;
    } finally {
      // Has no effect if the search has already ended in another way.
      counted.failed();
    }
  }

  private void check(SearchTurn turn) {
    if (turn.task().cancelled()) {
      cancelled.increment();
      throw new ApiException(cancelled());
    }
    if (turn.isExpired()) {
      throw late(turn, "waited");
    }
  }

  /** The search was not cancelled; it stopped because its caller no longer waits. */
  private static boolean isStoppedForLateness(SearchTurn turn, Exception failure) {
    return failure instanceof ApiException refused
        && refused.error().type().equals(cancelled().type())
        && !turn.task().cancelled()
        && turn.isExpired();
  }

  private ApiException late(SearchTurn turn, String how) {
    expired.increment();
    return new ApiException(
        ErrorBody.of(
            504,
            "receive_timeout_transport_exception",
            how
                + " for "
                + TimeUnit.NANOSECONDS.toMillis(turn.ageNanos())
                + " ms, the caller waits for "
                + turn.caller().patienceMillis()
                + " ms"));
  }

  private static RuntimeException unwrapped(ExecutionException failure)
      throws InterruptedException {
    return switch (failure.getCause()) {
      case RuntimeException cause -> cause;
      case InterruptedException cause -> throw cause;
      case Error error -> {
        FatalErrors.endOn(error);
        throw error;
      }
      case null, default -> new IllegalStateException(failure.getCause());
    };
  }

  private ErrorBody refusal() {
    return ErrorBody.of(
        429,
        "rejected_execution_exception",
        "rejected execution of a search on SearchPool[name = search, queue capacity = "
            + size.queue
            + ", pool size = "
            + workers.getPoolSize()
            + ", active threads = "
            + workers.getActiveCount()
            + ", queued tasks = "
            + workers.getQueue().size()
            + ", completed tasks = "
            + workers.getCompletedTaskCount()
            + "]");
  }

  private static ErrorBody cancelled() {
    return ErrorBody.of(
        400, "task_cancelled_exception", "cancelled task with reason: by user request");
  }

  /** The searches in progress and their durations. */
  public ExecutorReport load() {
    return load.report();
  }

  /** Searches that were refused. */
  public long rejections() {
    return rejected.sum();
  }

  /** Searches dropped because their deadline passed in the queue. */
  public long expirations() {
    return expired.sum();
  }

  /** Searches that were cancelled while they waited or ran. */
  public long cancellations() {
    return cancelled.sum();
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
