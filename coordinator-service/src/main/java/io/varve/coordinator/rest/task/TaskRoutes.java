package io.varve.coordinator.rest.task;

import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoint;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Internal endpoints by which other coordinators read and cancel this one's tasks. */
final class TaskRoutes {

  private static final String PREFIX = "/_internal/searches";

  private final Tasks tasks;
  private final TaskBoard board;

  private TaskRoutes(Tasks tasks, TaskBoard board) {
    this.tasks = tasks;
    this.board = board;
  }

  static InternalEndpoints of(Tasks tasks, TaskBoard board) {
    TaskRoutes routes = new TaskRoutes(tasks, board);
    return new InternalEndpoints(
        PREFIX,
        List.of(
            route("GET", "tasks", call -> Bodies.sendJson(call.response(), tasks.infos())),
            route("GET", "task", routes::sendOutcome),
            route("POST", "cancel-task", routes::cancel),
            route("POST", "rethrottle", routes::rethrottle)));
  }

  private static InternalRoute route(String method, String name, InternalEndpoint endpoint) {
    return new InternalRoute(method, PREFIX + "/" + name, "searches/" + name, endpoint);
  }

  private void sendOutcome(InternalCall call) throws IOException, InterruptedException {
    long millis = Long.parseLong(call.request().getParameter("timeout_millis"));
    Bodies.sendJson(call.response(), tasks.outcome(number(call), Duration.ofMillis(millis)));
  }

  private void cancel(InternalCall call) throws IOException {
    ErrorBody refused = board.cancelOwn(number(call));
    if (refused != null) {
      throw new ApiException(refused);
    }
    Bodies.sendJson(call.response(), Map.of());
  }

  private void rethrottle(InternalCall call) throws IOException {
    Task task = tasks.find(number(call));
    Task.Pace pace = task == null ? null : task.pace();
    if (task == null || pace == null) {
      Bodies.sendJson(call.response(), TaskOutcome.UNKNOWN);
      return;
    }
    pace.change(Float.parseFloat(Bodies.required(call.request(), "requests_per_second")));
    Bodies.sendJson(call.response(), new TaskOutcome(false, task.info(), null, null));
  }

  private static long number(InternalCall call) {
    return Long.parseLong(call.request().getParameter("number"));
  }
}
