package io.varve.host.search;

import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.rpc.SearchCallHeaders;
import io.varve.rpc.TaskInfo;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work on this node for tasks of coordinators, and its cancellation: a coordinator cancels a
 * task, or one attempt at a part of it; this applies to running work and to work that arrives
 * later.
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
    private final @Nullable String attempt;
    private final String description;
    private final boolean cancellable;
    private final long startedMillis = clock.millis();
    private final long startedNanos = System.nanoTime();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private Running(
        String action,
        @Nullable String parent,
        @Nullable String attempt,
        String description,
        boolean cancellable) {
      this.action = action;
      this.parent = parent;
      this.attempt = attempt;
      this.description = description;
      this.cancellable = cancellable;
    }

    boolean cancelled() {
      return stop.get();
    }

    /** Runs once, on cancellation; immediately if already cancelled. */
    void onCancel(Runnable action) {
      var _ = stopped.thenRun(action);
    }

    private void cancel() {
      stop.set(true);
      stopped.complete(null);
    }

    private boolean isOf(String name) {
      return name.equals(parent) || name.equals(attempt);
    }

    @Override
    public void close() {
      running.remove(number);
    }
  }

  Running begin(String action, @Nullable String parent, String description) {
    return begin(action, parent, null, description);
  }

  Running begin(
      String action, @Nullable String parent, @Nullable String attempt, String description) {
    Running task = begin(new Running(action, parent, attempt, description, true));
    if (isCancelled(parent) || isCancelled(attempt)) {
      task.cancel();
    }
    return task;
  }

  private Running begin(Running task) {
    running.put(task.number, task);
    return task;
  }

  /**
   * Registers the endpoint's work for the coordinator's task named in a header; it continues even
   * if that task is cancelled.
   *
   * @param index the name of an index by its uuid
   */
  public ShardEndpoint shown(
      String action, Function<String, String> index, ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      String parent = request.getHeader(SearchCallHeaders.TASK);
      if (parent == null) {
        endpoint.handle(copy, rest, request, response);
        return;
      }
      What what = new What(action, index.apply(copy.shard().indexUuid()), copy.shard());
      try (Shown _ = shown(what, parent, request.getParameter("items"))) {
        endpoint.handle(copy, rest, request, response);
      }
    };
  }

  /**
   * A kind of work for a shard.
   *
   * @param index the name of the shard's index
   */
  public record What(String action, String index, ShardId shard) {}

  /** Work that is listed until it is closed. */
  public interface Shown extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Registers work for that task of a coordinator; it continues even if that task is cancelled.
   *
   * @param items their number
   */
  public Shown shown(What what, String parent, String items) {
    String description =
        "requests[" + items + "], index[" + what.index() + "][" + what.shard().number() + "]";
    return begin(new Running(what.action(), parent, null, description, false))::close;
  }

  /** Work that can be cancelled. */
  @FunctionalInterface
  public interface Stoppable {
    void handle(
        ShardCopy copy,
        HttpServletRequest request,
        HttpServletResponse response,
        BooleanSupplier stop)
        throws IOException, InterruptedException;
  }

  /**
   * Registers the endpoint's work for a task of a coordinator, and stops it when the task is
   * cancelled.
   */
  public ShardEndpoint stopped(String action, Function<String, String> index, Stoppable endpoint) {
    return (copy, _, request, response) -> {
      String parent = request.getHeader(SearchCallHeaders.TASK);
      String shard = index.apply(copy.shard().indexUuid()) + "][" + copy.shard().number();
      try (Running task = begin(action, parent, "shard [" + shard + "]")) {
        endpoint.handle(copy, request, response, task::cancelled);
      }
    };
  }

  private boolean isCancelled(@Nullable String name) {
    if (name == null) {
      return false;
    }
    synchronized (cancelled) {
      return cancelled.containsKey(name);
    }
  }

  /** Stops running and future work of that task or attempt. */
  public void cancel(String name) {
    synchronized (cancelled) {
      cancelled.put(name, true);
    }
    for (Running task : running.values()) {
      if (task.isOf(name)) {
        task.cancel();
      }
    }
  }

  /** The running work. */
  public List<TaskInfo> all() {
    List<TaskInfo> shown = new ArrayList<>();
    for (Running task : running.values()) {
      shown.add(
          new TaskInfo(
              task.number,
              new TaskInfo.What(task.action, "direct", task.description),
              task.parent,
              new TaskInfo.Execution(
                  task.startedMillis,
                  System.nanoTime() - task.startedNanos,
                  task.cancellable,
                  task.cancelled()),
              Map.of(),
              null));
    }
    return shown;
  }
}
