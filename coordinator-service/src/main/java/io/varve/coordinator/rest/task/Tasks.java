package io.varve.coordinator.rest.task;

import io.varve.process.RequestContext;
import io.varve.process.SteadyTimer;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of this coordinator.
 *
 * <p>The task of a request exists as long as the request. A task that a client does not wait for
 * runs on a separate thread. The answers of the last {@value #RESULTS_KEPT} such tasks are kept, in
 * memory only: they are lost when this coordinator stops.
 */
public final class Tasks implements AutoCloseable {

  /** The number of finished tasks whose responses are kept. */
  public static final int RESULTS_KEPT = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
  private static final ScopedValue<Task> CURRENT = ScopedValue.newInstance();

  private final Supplier<String> nodeId;
  private final InstantSource clock;
  private final Consumer<Task> onCancelled;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Task> running = new ConcurrentSkipListMap<>();
  private final Map<Long, Thread> threads = new ConcurrentHashMap<>();
  private final Map<Long, TaskOutcome> results =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, TaskOutcome> eldest) {
          return size() > RESULTS_KEPT;
        }
      };
  private final SteadyTimer timer = new SteadyTimer("varve-task-timer");

  /**
   * @param onCancelled cancels a task's work on other nodes
   */
  public Tasks(Supplier<String> nodeId, InstantSource clock, Consumer<Task> onCancelled) {
    this.nodeId = nodeId;
    this.clock = clock;
    this.onCancelled = onCancelled;
  }

  /** The work of a request. */
  @FunctionalInterface
  public interface Work {
    void run() throws InterruptedException;
  }

  /** The work of a task whose response is kept. */
  @FunctionalInterface
  public interface Answering {

    /** Runs the work; throws {@link io.varve.rpc.ApiException} if it fails. */
    Map<String, Object> run(Task task) throws InterruptedException;
  }

  /** Returns the task of the request on this thread, or null for none. */
  public static @Nullable Task current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Runs the work as a task. */
  public void run(TaskKind kind, Map<String, String> headers, Work work)
      throws InterruptedException {
    Task task = begin(kind, headers, null);
    try {
      ScopedValue.where(CURRENT, task)
          .call(() -> {
            work.run();
            return task;
          });
    } finally {
      end(task);
    }
  }

  /** Runs the work as a task in the background. */
  public Task start(TaskKind kind, Map<String, String> headers, Answering work) {
    Task task = begin(kind, headers, null);
    Thread thread =
        Thread.ofVirtual()
            .name("task " + task.id())
            .unstarted(
                RequestContext.carried(
                    () -> ScopedValue.where(CURRENT, task).run(() -> keepResult(task, work))));
    threads.put(task.id().number(), thread);
    thread.start();
    return task;
  }

  private void keepResult(Task task, Answering work) {
    TaskOutcome outcome;
    try {
      Map<String, Object> response = work.run(task);
      outcome = new TaskOutcome(true, task.info(), response, null);
    } catch (InterruptedException e) {
      outcome =
          failed(task, ErrorBody.of(503, "node_closed_exception", "the coordinator is closing"));
    } catch (ApiException e) {
      outcome = failed(task, e.error());
    } catch (RuntimeException e) {
      LOG.error("task {} ({}) failed", task.id(), task.kind().action(), e);
      outcome = failed(task, ErrorBody.of(500, "exception", e.toString()));
    }
    synchronized (results) {
      results.put(task.id().number(), outcome);
    }
    threads.remove(task.id().number());
    end(task);
  }

  private static TaskOutcome failed(Task task, ErrorBody error) {
    return new TaskOutcome(true, task.info(), null, error.toMap());
  }

  private Task begin(TaskKind kind, Map<String, String> headers, @Nullable String parent) {
    TaskId id = new TaskId(nodeId.get(), numbers.incrementAndGet());
    Task task = new Task(id, kind, parent, headers, clock.millis());
    running.put(id.number(), task);
    return task;
  }

  /** Starts a child task, which the caller passes to {@link #end} when it is done. */
  public Task beginPart(Task parent, TaskKind kind) {
    Task part = begin(kind, parent.headers(), parent.id().toString());
    if (kind.cancellable()) {
      parent.onCancel(() -> cancel(part, "parent was cancelled"));
    }
    return part;
  }

  public void end(Task task) {
    running.remove(task.id().number());
    task.ended().complete(null);
  }

  public List<Task> all() {
    return new ArrayList<>(running.values());
  }

  public @Nullable Task find(long number) {
    return running.get(number);
  }

  public void cancel(Task task, String reason) {
    if (!task.cancelled()) {
      task.cancel(reason);
      onCancelled.accept(task);
    }
  }

  /** Cancels the task if it is still running after that time. */
  public ScheduledFuture<?> cancelAfter(Task task, long millis, String reason) {
    return timer.schedule(
        () -> Thread.startVirtualThread(() -> cancel(task, reason)), millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns the result of a task.
   *
   * @param patience the time to wait for its end
   */
  public TaskOutcome outcome(long number, Duration patience) throws InterruptedException {
    Task task = running.get(number);
    if (task != null) {
      if (!patience.isZero() && !awaitEnd(task, patience)) {
        throw new ApiException(
            500,
            "timeout_exception",
            "Timed out waiting for completion of task [" + task.id() + "]");
      }
      if (patience.isZero()) {
        return new TaskOutcome(false, task.info(), null, null);
      }
    }
    synchronized (results) {
      TaskOutcome kept = results.get(number);
      if (kept != null) {
        return kept;
      }
    }
    return task == null ? TaskOutcome.UNKNOWN : new TaskOutcome(true, task.info(), null, null);
  }

  /** Waits for the end of the task; returns false if it is still running after that time. */
  public static boolean awaitEnd(Task task, Duration patience) throws InterruptedException {
    try {
      task.ended().get(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a task's end never fails", e);
    }
  }

  public List<TaskInfo> infos() {
    return all().stream().map(Task::info).toList();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    threads.values().forEach(Thread::interrupt);
  }
}
