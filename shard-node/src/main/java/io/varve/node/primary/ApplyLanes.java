package io.varve.node.primary;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies in parallel, but one after the other what concerns the same id: work goes to the lane
 * that the id's hash chooses, and a lane does its work in the order in which it came.
 *
 * <p>Lanes own no threads; a lane with work runs on the executor, one task at a time.
 */
public final class ApplyLanes {

  private static final Logger LOG = LoggerFactory.getLogger(ApplyLanes.class);

  private final List<Lane> lanes = new ArrayList<>();

  public ApplyLanes(int count, Executor executor) {
    if (count < 1) {
      throw new IllegalArgumentException("lanes must be >= 1, was " + count);
    }
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane(executor));
    }
  }

  /** Hands over items in their order. Does not block; {@code work} must not throw. */
  public <T> void submit(List<T> items, Function<T, String> id, Consumer<T> work) {
    if (items.size() == 1) {
      T item = items.getFirst();
      lane(id.apply(item)).add(() -> work.accept(item));
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

  private Lane lane(String id) {
    return lanes.get(laneOf(id));
  }

  private int laneOf(String id) {
    int hash = id.hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), lanes.size());
  }

  /** One lane: a queue, and at most one task of the executor that empties it. */
  private static final class Lane {

    private final Executor executor;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private boolean running;

    Lane(Executor executor) {
      this.executor = executor;
    }

    void add(Runnable work) {
      synchronized (queue) {
        queue.addLast(work);
        if (running) {
          return;
        }
        running = true;
      }
      executor.execute(this::run);
    }

    private void run() {
      while (true) {
        Runnable next;
        synchronized (queue) {
          next = queue.pollFirst();
          if (next == null) {
            running = false;
            return;
          }
        }
        try {
          next.run();
        } catch (RuntimeException | Error e) {
          // Work must not throw; if it does, the lane goes on with what others wait for.
          LOG.error("a lane's work failed", e);
        }
      }
    }
  }
}
