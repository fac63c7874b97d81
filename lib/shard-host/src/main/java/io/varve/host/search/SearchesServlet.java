package io.varve.host.search;

import io.varve.events.Json;
import io.varve.host.http.Bodies;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What concerns searches on this node beyond one copy: {@code /_internal/searches/} with {@code
 * release} (contexts by id), {@code release-scrolls}, {@code pits}, {@code tasks}, {@code cancel}
 * (by task, or by attempt) and {@code load}.
 */
public final class SearchesServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient ReaderContexts contexts;
  private final transient NodeTasks tasks;
  private final transient SearchDesk desk;

  public SearchesServlet(ReaderContexts contexts, NodeTasks tasks, SearchDesk desk) {
    this.desk = desk;
    this.contexts = contexts;
    this.tasks = tasks;
  }

  /** Ids of contexts. */
  public record Ids(List<String> ids) {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = String.valueOf(request.getPathInfo());
    switch (request.getMethod() + " " + path) {
      case "POST /release" -> Bodies.sendJson(response, released(request));
      case "POST /release-scrolls" ->
          Bodies.sendJson(response, Map.of("scrolls", contexts.releaseScrolls()));
      case "GET /pits" -> Bodies.sendJson(response, contexts.pits());
      case "GET /tasks" -> {
        String parent = request.getParameter("parent");
        try (NodeTasks.Running _ = tasks.begin("cluster:monitor/tasks/lists[n]", parent, "")) {
          Bodies.sendJson(response, tasks.all());
        }
      }
      case "POST /cancel" -> {
        tasks.cancel(Bodies.required(request, "parent"));
        Bodies.sendJson(response, Map.of());
      }
      case "GET /load" ->
          Bodies.send(response, "text/plain", desk.load().getBytes(StandardCharsets.US_ASCII));
      default ->
          Bodies.sendError(
              response,
              ErrorBody.of(404, "resource_not_found_exception", "no endpoint at [" + path + "]"));
    }
  }

  private Map<String, Integer> released(HttpServletRequest request) throws IOException {
    Map<String, Integer> released = new LinkedHashMap<>();
    for (String id : Json.read(Bodies.read(request), Ids.class).ids()) {
      released.put(id, contexts.release(id));
    }
    return released;
  }
}
