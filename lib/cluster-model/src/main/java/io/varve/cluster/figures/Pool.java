package io.varve.cluster.figures;

import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work of one kind: how much of it is under way, and was done. Mostly it runs on virtual threads,
 * one for each piece, so that nothing ever waits in a queue; or on an executor with a queue.
 */
public final class Pool {

  /** How the dialect calls the shape of a pool. */
  enum Shape {
    FIXED,
    RESIZABLE,
    SCALING
  }

  final Shape shape;
  private final boolean waits;
  private final AtomicInteger active = new AtomicInteger();
  private final LongAccumulator largest = new LongAccumulator(Math::max, 0);
  private final LongAdder completed = new LongAdder();
  private volatile LongSupplier rejected = () -> 0;
  private volatile @Nullable ThreadPoolExecutor executor;
  private volatile @Nullable Bounds bounds;

  /** How much runs at a time, how much may wait, and how long it has waited in all. */
  private record Bounds(int workers, int queue, LongSupplier waitedNanos) {}

  Pool(Shape shape) {
    this(shape, false);
  }

  /** {@code waits}: the time that pieces waited is told. */
  Pool(Shape shape, boolean waits) {
    this.shape = shape;
    this.waits = waits;
  }

  /** {@link #end} must follow. */
  public void begin() {
    largest.accumulate(active.incrementAndGet());
  }

  public void end() {
    active.decrementAndGet();
    completed.increment();
  }

  /** Who counts what is refused. */
  public void rejections(LongSupplier counter) {
    rejected = counter;
  }

  /** The work is done by that executor: its figures are the pool's. */
  public void by(ThreadPoolExecutor worker) {
    executor = worker;
  }

  /**
   * The same, where the queue is bounded.
   *
   * @param waitedNanos how long pieces have waited in all
   */
  public void by(ThreadPoolExecutor worker, int queue, LongSupplier waitedNanos) {
    bounds = new Bounds(worker.getMaximumPoolSize(), queue, waitedNanos);
    executor = worker;
  }

  Map<String, Object> stats() {
    ThreadPoolExecutor worker = executor;
    if (worker != null) {
      return executed(worker);
    }
    Map<String, Object> stats = counted();
    if (shape == Shape.RESIZABLE || waits) {
      // Each piece has a thread of its own from the beginning.
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
    return Tree.of(
        "threads", active.get(),
        "queue", 0,
        "active", active.get(),
        "rejected", rejected.getAsLong(),
        "largest", largest.get(),
        "completed", completed.sum());
  }

  /** Virtual threads have no bound; processors are what they share. */
  Map<String, Object> info() {
    Bounds known = bounds;
    int size = known == null ? Runtime.getRuntime().availableProcessors() : known.workers();
    int queue = known == null ? -1 : known.queue();
    return switch (shape) {
      case FIXED -> Tree.of("type", "fixed", "size", size, "queue_size", queue);
      case RESIZABLE -> Tree.of("type", "resizable", "size", size, "queue_size", queue);
      case SCALING ->
          Tree.of("type", "scaling", "core", 0, "max", size, "keep_alive", "0s", "queue_size", -1);
    };
  }
}
