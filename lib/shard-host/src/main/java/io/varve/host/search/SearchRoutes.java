package io.varve.host.search;

import io.varve.events.Json;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoint;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes {@code /_internal/searches/} for requests about searches on this node that do not
 * concern a single copy: {@code release} (contexts by id), {@code release-scrolls}, {@code pits},
 * {@code tasks}, {@code cancel} (by task, or by attempt) and {@code load}.
 */
public final class SearchRoutes {

  private static final String PREFIX = "/_internal/searches";

  private final ReaderContexts contexts;
  private final NodeTasks tasks;
  private final SearchHandler handler;

  private SearchRoutes(ReaderContexts contexts, NodeTasks tasks, SearchHandler handler) {
    this.handler = handler;
    this.contexts = contexts;
    this.tasks = tasks;
  }

  public static InternalEndpoints of(
      ReaderContexts contexts, NodeTasks tasks, SearchHandler handler) {
    SearchRoutes searches = new SearchRoutes(contexts, tasks, handler);
    return new InternalEndpoints(
        PREFIX,
        List.of(
            route("POST", "release", searches::release),
            route("POST", "release-scrolls", searches::releaseScrolls),
            route("GET", "pits", call -> Bodies.sendJson(call.response(), contexts.pits())),
            route("GET", "tasks", searches::sendTasks),
            route("POST", "cancel", searches::cancel),
            route("GET", "load", searches::sendLoad)));
  }

  private static InternalRoute route(String method, String name, InternalEndpoint endpoint) {
    return new InternalRoute(method, PREFIX + "/" + name, "searches/" + name, endpoint);
  }

  /** Ids of contexts. */
  public record Ids(List<String> ids) {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

  private void release(InternalCall call) throws IOException {
    Map<String, Integer> released = new LinkedHashMap<>();
    for (String id : Json.read(Bodies.read(call.request()), Ids.class).ids()) {
      released.put(id, contexts.release(id));
    }
    Bodies.sendJson(call.response(), released);
  }

  private void releaseScrolls(InternalCall call) throws IOException {
    Bodies.sendJson(call.response(), Map.of("scrolls", contexts.releaseScrolls()));
  }

  private void sendTasks(InternalCall call) throws IOException {
    String parent = call.request().getParameter("parent");
    try (NodeTasks.Running _ = tasks.begin("cluster:monitor/tasks/lists[n]", parent, "")) {
      Bodies.sendJson(call.response(), tasks.all());
    }
  }

  private void cancel(InternalCall call) throws IOException {
    tasks.cancel(Bodies.required(call.request(), "parent"));
    Bodies.sendJson(call.response(), Map.of());
  }

  private void sendLoad(InternalCall call) throws IOException {
    Bodies.send(call.response(), "text/plain", handler.load().getBytes(StandardCharsets.US_ASCII));
  }
}
