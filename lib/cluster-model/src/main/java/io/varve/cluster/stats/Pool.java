package io.varve.cluster.stats;

import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts work of one kind, in progress and done. Most kinds run on virtual threads, one for each
 * task, so nothing waits in a queue; others run on an executor with a queue.
 */
public final class Pool {

  /** The type of a pool, as the REST API names it. */
  enum Shape {
    FIXED,
    RESIZABLE,
    SCALING
  }

  /** Work that runs in turns, in addition to the work that is counted. */
  public interface Turns {

    /** The maximum number of turns that run. */
    int limit();

    int running();

    /** The highest number of turns that ran at the same time. */
    int mostRunning();

    int waiting();

    /** The number of turns that ran and have ended. */
    long ended();
  }

  private static final Turns NO_TURNS =
      new Turns() {
        @Override
        public int limit() {
          return Runtime.getRuntime().availableProcessors();
        }

        @Override
        public int running() {
          return 0;
        }

        @Override
        public int mostRunning() {
          return 0;
        }

        @Override
        public int waiting() {
          return 0;
        }

        @Override
        public long ended() {
          return 0;
        }
      };

  final Shape shape;
  private final boolean waits;
  private final AtomicInteger active = new AtomicInteger();
  private final LongAccumulator largest = new LongAccumulator(Math::max, 0);
  private final LongAdder completed = new LongAdder();
  private volatile LongSupplier rejected = () -> 0;
  private volatile @Nullable ThreadPoolExecutor executor;
  private volatile @Nullable Bounds bounds;
  private volatile Turns turns = NO_TURNS;

  /** Concurrency limit, queue limit, and the total time that tasks waited. */
  private record Bounds(int workers, int queue, LongSupplier waitedNanos) {}

  Pool(Shape shape) {
    this(shape, false);
  }

  /**
   * @param waits whether waiting time is reported
   */
  Pool(Shape shape, boolean waits) {
    this.shape = shape;
    this.waits = waits;
  }

  /** The caller must call {@link #end} afterwards. */
  public void begin() {
    largest.accumulate(active.incrementAndGet());
  }

  public void end() {
    active.decrementAndGet();
    completed.increment();
  }

  /** Sets the source of the number of rejections. */
  public void rejections(LongSupplier counter) {
    rejected = counter;
  }

  /** Reports the statistics of this executor. */
  public void by(ThreadPoolExecutor worker) {
    executor = worker;
  }

  /**
   * Reports the statistics of this executor with a bounded queue.
   *
   * @param waitedNanos total time that tasks waited
   */
  public void by(ThreadPoolExecutor worker, int queue, LongSupplier waitedNanos) {
    bounds = new Bounds(worker.getMaximumPoolSize(), queue, waitedNanos);
    executor = worker;
  }

  /** Reports these turns as well; their limit is that of the pool. */
  public void with(Turns limited) {
    turns = limited;
  }

  Map<String, Object> stats() {
    ThreadPoolExecutor worker = executor;
    if (worker != null) {
      return executed(worker);
    }
    Map<String, Object> stats = counted();
    if (shape == Shape.RESIZABLE || waits) {
      // Each task has its own thread from the beginning.
      stats.put("total_wait_time_in_nanos", 0L);
    }
    return stats;
  }

  private Map<String, Object> executed(ThreadPoolExecutor worker) {
    Map<String, Object> stats =
        Tree.of(
            "threads", worker.getPoolSize(),
            "queue", worker.getQueue().size(),
            "active", worker.getActiveCount(),
            "rejected", rejected.getAsLong(),
            "largest", worker.getLargestPoolSize(),
            "completed", worker.getCompletedTaskCount());
    Bounds known = bounds;
    if (known != null) {
      stats.put("total_wait_time_in_nanos", known.waitedNanos().getAsLong());
    }
    return stats;
  }

  private Map<String, Object> counted() {
    Turns limited = turns;
    int running = active.get() + limited.running();
    return Tree.of(
        "threads",
        running,
        "queue",
        limited.waiting(),
        "active",
        running,
        "rejected",
        rejected.getAsLong(),
        "largest",
        Math.max(largest.get(), limited.mostRunning()),
        "completed",
        completed.sum() + limited.ended());
  }

  /** Reports the number of processors as the size of an unlimited pool of virtual threads. */
  Map<String, Object> info() {
    Bounds known = bounds;
    int size = known == null ? turns.limit() : known.workers();
    int queue = known == null ? -1 : known.queue();
    return switch (shape) {
      case FIXED -> Tree.of("type", "fixed", "size", size, "queue_size", queue);
      case RESIZABLE -> Tree.of("type", "resizable", "size", size, "queue_size", queue);
      case SCALING ->
          Tree.of("type", "scaling", "core", 0, "max", size, "keep_alive", "0s", "queue_size", -1);
    };
  }
}
