package io.varve.node.search;

import io.varve.rpc.TaskInfo;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What runs on this node for tasks of coordinators, and the word of a coordinator that a task is
 * cancelled: it reaches what runs and what may still come.
 */
public final class NodeTasks {

  private static final int CANCELLED_KEPT = 1_000;

  private final InstantSource clock;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Running> running = new ConcurrentHashMap<>();
  private final Map<String, Boolean> cancelled =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > CANCELLED_KEPT;
        }
      };

  public NodeTasks(InstantSource clock) {
    this.clock = clock;
  }

  /** One piece of work. */
  final class Running implements AutoCloseable {
    private final long number = numbers.incrementAndGet();
    private final String action;
    private final @Nullable String parent;
    private final String description;
    private final long startedMillis = clock.millis();
    private final long startedNanos = System.nanoTime();
    private final AtomicBoolean stop = new AtomicBoolean();

    private Running(String action, @Nullable String parent, String description) {
      this.action = action;
      this.parent = parent;
      this.description = description;
    }

    boolean cancelled() {
      return stop.get();
    }

    @Override
    public void close() {
      running.remove(number);
    }
  }

  Running begin(String action, @Nullable String parent, String description) {
    Running task = new Running(action, parent, description);
    running.put(task.number, task);
    if (parent != null && isCancelled(parent)) {
      task.stop.set(true);
    }
    return task;
  }

  private boolean isCancelled(String parent) {
    synchronized (cancelled) {
      return cancelled.containsKey(parent);
    }
  }

  /** Stops what runs for that task, and what will. */
  public void cancel(String parent) {
    synchronized (cancelled) {
      cancelled.put(parent, true);
    }
    for (Running task : running.values()) {
      if (parent.equals(task.parent)) {
        task.stop.set(true);
      }
    }
  }

  /** What runs now. */
  public List<TaskInfo> all() {
    List<TaskInfo> shown = new ArrayList<>();
    for (Running task : running.values()) {
      shown.add(
          new TaskInfo(
              task.number,
              new TaskInfo.What(task.action, "direct", task.description),
              task.parent,
              new TaskInfo.Course(
                  task.startedMillis,
                  System.nanoTime() - task.startedNanos,
                  true,
                  task.cancelled()),
              Map.of(),
              null));
    }
    return shown;
  }
}
