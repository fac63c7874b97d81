package io.varve.coordinator.rest.task;

import io.varve.client.Cancellation;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work in progress on this node. The code that runs it calls {@link #check} from time to time to
 * detect cancellation; listeners registered with {@link #onCancel} end its waits.
 */
public final class Task implements Cancellation {

  private final TaskId id;
  private final TaskKind kind;
  private final @Nullable String parent;
  private final Map<String, String> headers;
  private final long startedMillis;
  private final long startedNanos = System.nanoTime();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private volatile @Nullable String cancelledBecause;
  private volatile @Nullable Supplier<Map<String, Object>> status;
  private volatile @Nullable Pace pace;

  Task(
      TaskId id,
      TaskKind kind,
      @Nullable String parent,
      Map<String, String> headers,
      long startedMillis) {
    this.id = id;
    this.kind = kind;
    this.parent = parent;
    this.headers = Map.copyOf(headers);
    this.startedMillis = startedMillis;
  }

  /** The adjustable rate of a task. */
  public interface Pace {
    void change(float perSecond);
  }

  public TaskId id() {
    return id;
  }

  public TaskKind kind() {
    return kind;
  }

  public Map<String, String> headers() {
    return headers;
  }

  public boolean cancelled() {
    return cancelledBecause != null;
  }

  /** Throws if the task has been cancelled. */
  @Override
  public void check() {
    String reason = cancelledBecause;
    if (reason != null) {
      throw new ApiException(cancelledError(reason));
    }
  }

  private static ErrorBody cancelledError(String reason) {
    return ErrorBody.of(400, "task_cancelled_exception", "cancelled task with reason: " + reason);
  }

  /** Runs the listener when the task is cancelled, or immediately if it already has been. */
  @Override
  public void onCancel(Runnable listener) {
    listeners.add(listener);
    if (cancelled()) {
      listener.run();
    }
  }

  void cancel(String reason) {
    if (cancelledBecause == null) {
      cancelledBecause = reason;
      listeners.forEach(Runnable::run);
    }
  }

  public void shows(Supplier<Map<String, Object>> newStatus) {
    status = newStatus;
  }

  public void goesAt(Pace newPace) {
    pace = newPace;
  }

  @Nullable Pace pace() {
    return pace;
  }

  CompletableFuture<@Nullable Void> ended() {
    return ended;
  }

  TaskInfo info() {
    Supplier<Map<String, Object>> shown = status;
    return new TaskInfo(
        id.number(),
        new TaskInfo.What(kind.action(), "transport", kind.description()),
        parent,
        new TaskInfo.Execution(
            startedMillis, System.nanoTime() - startedNanos, kind.cancellable(), cancelled()),
        headers,
        shown == null ? null : shown.get());
  }
}
