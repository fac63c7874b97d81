package io.varve.coordinator.rest.task;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskOutcome;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Internal endpoints by which other coordinators read and cancel this one's tasks. */
final class TaskServlet extends HttpServlet {

  static final String PATH = "/_internal/searches/*";

  private static final long serialVersionUID = 1L;

  private final transient Tasks tasks;
  private final transient TaskBoard board;

  TaskServlet(Tasks tasks, TaskBoard board) {
    this.tasks = tasks;
    this.board = board;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      send(response, 200, answer(request));
    } catch (ApiException e) {
      sendError(response, e.error());
    } catch (NumberFormatException e) {
      sendError(response, ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      sendError(response, ErrorBody.of(503, "node_closed_exception", "the node is closing"));
    }
  }

  private Object answer(HttpServletRequest request) throws InterruptedException {
    String path = request.getMethod() + " " + request.getPathInfo();
    return switch (path) {
      case "GET /tasks" -> tasks.infos();
      case "GET /task" ->
          tasks.outcome(
              number(request),
              Duration.ofMillis(Long.parseLong(request.getParameter("timeout_millis"))));
      case "POST /cancel-task" -> {
        ErrorBody refused = board.cancelOwn(number(request));
        if (refused != null) {
          throw new ApiException(refused);
        }
        yield Map.of();
      }
      case "POST /rethrottle" -> rethrottled(request);
      default ->
          throw new ApiException(
              404, "resource_not_found_exception", "no endpoint at [" + path + "]");
    };
  }

  private TaskOutcome rethrottled(HttpServletRequest request) {
    Task task = tasks.find(number(request));
    Task.Pace pace = task == null ? null : task.pace();
    if (task == null || pace == null) {
      return TaskOutcome.UNKNOWN;
    }
    pace.change(Float.parseFloat(request.getParameter("requests_per_second")));
    return new TaskOutcome(false, task.info(), null, null);
  }

  private static long number(HttpServletRequest request) {
    return Long.parseLong(request.getParameter("number"));
  }

  private static void sendError(HttpServletResponse response, ErrorBody error) throws IOException {
    send(response, error.status(), Map.of("error", error.toMap(), "status", error.status()));
  }

  private static void send(HttpServletResponse response, int status, Object body)
      throws IOException {
    byte[] bytes = Json.write(body);
    response.setStatus(status);
    response.setContentType("application/json");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
