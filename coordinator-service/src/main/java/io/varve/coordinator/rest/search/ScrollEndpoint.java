package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _search/scroll}: returns the next page, or closes scrolls. The body takes precedence over
 * the URL.
 */
final class ScrollEndpoint implements RestEndpoint {

  private static final String ALL = "_all";

  private final ClusterAccess cluster;
  private final Scrolls scrolls;

  ScrollEndpoint(ClusterAccess cluster, Scrolls scrolls) {
    this.cluster = cluster;
    this.scrolls = scrolls;
  }

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(RestMethod.GET, RestMethod.POST, RestMethod.DELETE),
        "/_search/scroll",
        "/_search/scroll/{scroll_id}");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"scroll_id\":\"AQEgNmQ1\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return request.method() == RestMethod.DELETE ? clear(request) : next(request);
  }

  private RestAction next(RestRequest request) {
    Map<String, Object> body = request.bodyAsMap();
    refuseUnknown(body, List.of("scroll_id", "scroll"));
    String idOfUrl = request.param("scroll_id");
    String keepAliveOfUrl = request.param("scroll");
    boolean totalAsNumber = request.flag("rest_total_hits_as_int", false);
    String id = text(body, "scroll_id", idOfUrl);
    String keepAlive = text(body, "scroll", keepAliveOfUrl);
    if (id == null || id.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("scrollId is missing")));
    }
    TaskKind task = new TaskKind("indices:data/read/scroll", "scrollId[" + id + "]", true);
    return RestAction.task(
        task,
        responder -> {
          long began = System.nanoTime();
          ClusterState state = cluster.state();
          long keepAliveMillis = keepAlive == null ? 0 : KeepAlive.ofScroll(state, keepAlive);
          SearchBudget budget = SearchBudget.unlimited(Tasks.current());
          responder.json(
              200,
              scrolls.next(state, id, keepAliveMillis, budget).took(began).json(totalAsNumber));
        });
  }

  private static void refuseUnknown(Map<String, Object> body, List<String> known) {
    for (Map.Entry<String, Object> entry : body.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "Unknown parameter ["
                    + entry.getKey()
                    + "] in request body or parameter is of the wrong type["
                    + entry.getValue()
                    + "] "));
      }
    }
  }

  private static @Nullable String text(
      Map<String, Object> body, String name, @Nullable String otherwise) {
    Object value = body.get(name);
    return switch (value) {
      case null -> otherwise;
      case String text -> text;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Unknown parameter ["
                      + name
                      + "] in request body or parameter is of the wrong type["
                      + value
                      + "] "));
    };
  }

  private RestAction clear(RestRequest request) {
    Map<String, Object> body = request.bodyAsMap();
    refuseUnknown(body, List.of("scroll_id"));
    String idOfUrl = request.param("scroll_id");
    List<String> ids = new ArrayList<>();
    Object given = body.get("scroll_id");
    switch (given) {
      case null -> ids.addAll(idOfUrl == null ? List.of() : List.of(idOfUrl.split(",", -1)));
      case String one -> ids.add(one);
      case List<?> several -> several.forEach(one -> ids.add(String.valueOf(one)));
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument("scroll_id element should only contain scroll_id"));
    }
    ids.removeIf(String::isEmpty);
    if (ids.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("no scroll ids specified")));
    }
    return ids.contains(ALL)
        ? this::clearAll
        : responder -> {
          List<SearchContextId> parsed = ids.stream().map(Scrolls::parse).toList();
          answer(scrolls.clear(cluster.state(), parsed), responder);
        };
  }

  private void clearAll(RestResponder responder) throws InterruptedException {
    int freed = scrolls.clearAll(cluster.state());
    responder.json(200, cleared(freed, true));
  }

  private static void answer(ContextNodes.Released released, RestResponder responder) {
    int freed = released.readers();
    responder.json(freed == 0 ? 404 : 200, cleared(freed, released.perhapsOpen().isEmpty()));
  }

  private static Map<String, Object> cleared(int freed, boolean everywhere) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("succeeded", everywhere);
    answer.put("num_freed", freed);
    return answer;
  }
}
