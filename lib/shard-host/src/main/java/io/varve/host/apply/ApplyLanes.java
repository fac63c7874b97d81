package io.varve.host.apply;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies operations in parallel, but sequentially for each id: the hash of the id selects a lane,
 * and a lane works in the order of submission.
 *
 * <p>A small batch that is submitted while all lanes are idle is applied by one task, in its order,
 * so that searches without a sort return a few documents in the order in which they were written.
 * All lanes wait for this task.
 *
 * <p>Lanes own no threads; a lane with work runs on the executor, one task at a time.
 */
public final class ApplyLanes {

  private static final Logger LOG = LoggerFactory.getLogger(ApplyLanes.class);

  /** A larger batch is applied by several threads. */
  private static final int SMALL = 64;

  private final List<Lane> lanes = new ArrayList<>();
  private final Object lock = new Object();
  private final Executor executor;

  public ApplyLanes(int count, Executor executor) {
    if (count < 1) {
      throw new IllegalArgumentException("lanes must be >= 1, was " + count);
    }
    this.executor = executor;
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane());
    }
  }

  /**
   * Submits items in their order. Does not block; {@code work} must not throw.
   *
   * @throws RejectedExecutionException if the executor accepts no more work because the node is
   *     closing
   */
  public <T> void submit(List<T> items, Function<T, String> id, Consumer<T> work) {
    if (items.size() == 1) {
      T item = items.getFirst();
      lane(id.apply(item)).add(() -> work.accept(item));
      return;
    }
    if (items.size() <= SMALL && takeAll()) {
      try {
        executor.execute(() -> {
          guarded(() -> items.forEach(work));
          lanes.forEach(Lane::goOn);
        });
      } catch (RejectedExecutionException e) {
        lanes.forEach(Lane::stop);
        throw e;
      }
      return;
    }
    List<@Nullable List<T>> split = new ArrayList<>();
    lanes.forEach(lane -> split.add(null));
    for (T item : items) {
      int lane = laneOf(id.apply(item));
      List<T> part = split.get(lane);
      if (part == null) {
        part = new ArrayList<>();
        split.set(lane, part);
      }
      part.add(item);
    }
    for (int i = 0; i < split.size(); i++) {
      List<T> part = split.get(i);
      if (part != null) {
        lanes.get(i).add(() -> part.forEach(work));
      }
    }
  }

  /** Makes all lanes wait if none of them has work; returns whether it did. */
  private boolean takeAll() {
    synchronized (lock) {
      if (lanes.stream().anyMatch(lane -> lane.running)) {
        return false;
      }
      lanes.forEach(lane -> lane.running = true);
      return true;
    }
  }

  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      // Work must not throw; if it does, the lane continues with the work of other callers.
      LOG.error("a task of an apply lane failed", e);
    }
  }

  private Lane lane(String id) {
    return lanes.get(laneOf(id));
  }

  private int laneOf(String id) {
    int hash = id.hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), lanes.size());
  }

  /** A lane: a queue, and at most one task of the executor that drains it. */
  private final class Lane {

    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private boolean running;

    void add(Runnable work) {
      synchronized (lock) {
        queue.addLast(work);
        if (running) {
          return;
        }
        running = true;
      }
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        stop();
        throw e;
      }
    }

    /** Resumes a lane that was made to wait. */
    void goOn() {
      synchronized (lock) {
        if (queue.isEmpty()) {
          running = false;
          return;
        }
      }
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        // Runs on a thread of the executor; the other lanes are resumed in any case.
        stop();
        LOG.warn("a task of an apply lane is dropped because the node is closing", e);
      }
    }

    /** The executor accepts no more work: queued items are never applied. */
    void stop() {
      synchronized (lock) {
        queue.clear();
        running = false;
      }
    }

    private void run() {
      while (true) {
        Runnable next;
        synchronized (lock) {
          next = queue.pollFirst();
          if (next == null) {
            running = false;
            return;
          }
        }
        guarded(next);
      }
    }
  }
}
