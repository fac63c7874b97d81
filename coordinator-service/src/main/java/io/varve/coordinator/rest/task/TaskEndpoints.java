package io.varve.coordinator.rest.task;

import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code _tasks}: lists tasks, returns the result of a task, and cancels tasks. */
final class TaskEndpoints {

  private static final TaskKind LIST = new TaskKind("cluster:monitor/tasks/lists", "", false);
  private static final TaskKind GET = new TaskKind("cluster:monitor/task/get", "", false);
  private static final TaskKind CANCEL = new TaskKind("cluster:admin/tasks/cancel", "", false);
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private TaskEndpoints() {}

  static List<RestEndpoint> all(TaskBoard board) {
    return List.of(
        new ListTasks(board),
        new GetTask(board),
        new CancelTasks(board),
        new RethrottleEndpoint(board));
  }

  static ErrorBody notFound(TaskId id) {
    return failedNode(
        id.nodeId(),
        ErrorBody.of(404, "resource_not_found_exception", "task [" + id + "] is not found"));
  }

  static ErrorBody failedNode(String nodeId, ErrorBody cause) {
    return ErrorBody.of(500, "failed_node_exception", "Failed node [" + nodeId + "]")
        .causedBy(cause);
  }

  private record ListTasks(TaskBoard board) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.get("/_tasks");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      TaskBoard.Filter filter = TaskBoard.Filter.of(request);
      boolean detailed = request.flag("detailed", false);
      boolean wait = request.flag("wait_for_completion", false);
      Duration timeout = request.time("timeout", DEFAULT_TIMEOUT);
      String groupBy = TaskListResponse.groupBy(request);
      return RestAction.task(
          LIST, responder -> list(filter, detailed, wait ? timeout : null, groupBy, responder));
    }

    private void list(
        TaskBoard.Filter filter,
        boolean detailed,
        @Nullable Duration wait,
        String groupBy,
        RestResponder responder)
        throws InterruptedException {
      TaskBoard.Found found = board.list(filter);
      if (wait != null) {
        List<ListedTask> others =
            found.tasks().stream()
                .filter(task -> !task.info().what().action().startsWith(LIST.action()))
                .toList();
        if (!board.awaitEnd(others, wait)) {
          throw new ApiException(
              503, "timeout_exception", "Timed out waiting for completion of tasks");
        }
      }
      responder.json(200, TaskListResponse.of(found, groupBy, detailed));
    }
  }

  private record GetTask(TaskBoard board) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.get("/_tasks/{task_id}");
    }

    @Override
    public RequestExample example() {
      return RequestExample.ofParameters(Map.of("task_id", "node:1"));
    }

    @Override
    public RestAction prepare(RestRequest request) {
      TaskId id = TaskId.parse(request.required("task_id"));
      boolean wait = request.flag("wait_for_completion", false);
      Duration timeout = request.time("timeout", DEFAULT_TIMEOUT);
      return RestAction.task(
          GET, responder -> responder.json(200, shown(id, wait ? timeout : Duration.ZERO)));
    }

    private Map<String, Object> shown(TaskId id, Duration patience) throws InterruptedException {
      TaskOutcome outcome = board.outcome(id, patience);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("completed", outcome.completed());
      if (outcome.task() != null) {
        answer.put("task", ListedTask.json(id, outcome.task(), true));
      }
      if (outcome.response() != null) {
        answer.put("response", outcome.response());
      }
      if (outcome.error() != null) {
        answer.put("error", outcome.error());
      }
      return answer;
    }
  }

  private record CancelTasks(TaskBoard board) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.of(List.of(RestMethod.POST), "/_tasks/_cancel", "/_tasks/{task_id}/_cancel");
    }

    @Override
    public RequestExample example() {
      return RequestExample.ofParameters(Map.of("task_id", "node:1"));
    }

    @Override
    public RestAction prepare(RestRequest request) {
      String named = request.param("task_id");
      @Nullable TaskId id = named == null ? null : TaskId.parse(named);
      TaskBoard.Filter filter = TaskBoard.Filter.of(request);
      boolean wait = request.flag("wait_for_completion", false);
      Duration timeout = request.time("timeout", DEFAULT_TIMEOUT);
      String groupBy = TaskListResponse.groupBy(request);
      return RestAction.task(
          CANCEL, responder -> cancel(id, filter, wait ? timeout : null, groupBy, responder));
    }

    private void cancel(
        @Nullable TaskId id,
        TaskBoard.Filter filter,
        @Nullable Duration wait,
        String groupBy,
        RestResponder responder)
        throws InterruptedException {
      TaskBoard.Found found = board.list(filter);
      List<ListedTask> meant =
          found.tasks().stream()
              .filter(task -> id == null ? isMeant(task) : task.id().equals(id))
              .toList();
      Map<String, ErrorBody> failures = new LinkedHashMap<>(found.failures());
      if (id != null && meant.isEmpty()) {
        failures.put(id.nodeId(), notFound(id));
      }
      List<ListedTask> cancelled = new ArrayList<>();
      for (ListedTask task : meant) {
        ErrorBody refused = board.cancel(task);
        if (refused == null) {
          cancelled.add(task);
        } else {
          failures.put(task.node().nodeId(), failedNode(task.node().nodeId(), refused));
        }
      }
      if (wait != null) {
        board.awaitEnd(cancelled, wait);
      }
      responder.json(
          200, TaskListResponse.of(new TaskBoard.Found(cancelled, failures), groupBy, false));
    }

    /**
     * Whether a task selected by a filter is to be cancelled. Child tasks and tasks that cannot be
     * cancelled are skipped.
     */
    private static boolean isMeant(ListedTask task) {
      return task.info().course().cancellable() && task.info().parent() == null;
    }
  }
}
