package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.search.SearchOptions;
import io.varve.coordinator.rest.search.ShardPreference;
import io.varve.events.Json;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code _delete_by_query} and {@code _update_by_query}. The latter writes each document again
 * without a change, so that it is indexed with the current mapping.
 */
final class ByQueryEndpoint implements RestEndpoint {

  private static final Set<String> SEARCH_PARAMETERS =
      Set.of(
          "q",
          "df",
          "default_operator",
          "analyzer",
          "analyze_wildcard",
          "lenient",
          "sort",
          "terminate_after",
          "stats");

  private static final Set<String> BODY_KEYS =
      Set.of("query", "slice", "max_docs", "size", "conflicts", "sort");

  private final ByQueryKind operation;
  private final ByQueryLauncher launch;

  ByQueryEndpoint(ByQueryKind operation, ByQueryLauncher launch) {
    this.operation = operation;
    this.launch = launch;
  }

  @Override
  public List<Route> routes() {
    String path = operation == ByQueryKind.DELETE ? "_delete_by_query" : "_update_by_query";
    return List.of(new Route(RestMethod.POST, "/{index}/" + path));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"query\":{\"match_all\":{}}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    SearchOptions.checkType(request.param("search_type"));
    // Accepted without effect: pages are never cached, and writes always require the version.
    request.flag("request_cache", false);
    request.flag("version", true);
    SearchOptions.Where where =
        new SearchOptions.Where(
            request.required("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    Map<String, Object> body = new LinkedHashMap<>(request.bodyAsMap());
    refuse(body);
    Map<String, String> parameters = new LinkedHashMap<>(request.readAll(SEARCH_PARAMETERS));
    String searchTimeout = request.param("search_timeout");
    if (searchTimeout != null) {
      parameters.put("timeout", searchTimeout);
    }
    Object conflicts = body.remove("conflicts");
    Object maxDocs = body.remove("max_docs");
    Object size = body.remove("size");
    ByQuery.Options options =
        ByQueryParameters.of(
            request,
            new ByQueryParameters.BodyValues(
                conflicts == null ? null : conflicts.toString(),
                maxDocs == null ? size : maxDocs,
                null));
    if (operation == ByQueryKind.DELETE
        && !body.containsKey("query")
        && !parameters.containsKey("q")) {
      throw new ApiException(ErrorBodies.validation(List.of("query is missing")));
    }
    SearchRequest search = SearchRequest.parse(Json.write(body), parameters);
    ByQuery.Found found = new ByQuery.Found(where, body, parameters, search.scope().slice());
    ByQuery query =
        new ByQuery(
            operation,
            (operation == ByQueryKind.DELETE ? "delete-by-query [" : "update-by-query [")
                + where.expression()
                + "]",
            found,
            operation == ByQueryKind.DELETE ? HitWrites::delete : HitWrites::sameAgain,
            options);
    return launch.of(query, request.flag("wait_for_completion", true));
  }

  private static void refuse(Map<String, Object> body) {
    if (body.containsKey("script")) {
      throw new ApiException(
          ErrorBody.illegalArgument("[script] is not supported: there is no script engine"));
    }
    for (String key : body.keySet()) {
      if (!BODY_KEYS.contains(key)) {
        throw new ApiException(
            400, "parsing_exception", "Unknown key for a VALUE in [" + key + "].");
      }
    }
  }
}
