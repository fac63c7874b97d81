package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestMethod;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code _search/point_in_time}: opens, lists and ends points in time. */
final class PitEndpoint implements RestEndpoint {

  private static final String PATH = "/_search/point_in_time";

  private final Pits pits;

  PitEndpoint(Pits pits) {
    this.pits = pits;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestMethod.POST, "/{index}" + PATH),
        new Route(RestMethod.GET, PATH + "/_all"),
        new Route(RestMethod.DELETE, PATH + "/_all"),
        new Route(RestMethod.DELETE, PATH));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean all = request.path().endsWith("/_all");
    return switch (request.method()) {
      case POST -> create(request);
      case GET -> responder -> responder.json(200, pits.list());
      default -> all ? responder -> responder.json(200, pits.deleteAll()) : delete(request);
    };
  }

  private RestAction create(RestRequest request) {
    SearchHow.Where where =
        new SearchHow.Where(
            request.required("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    boolean allowPartial = request.flag("allow_partial_pit_creation", true);
    String keepAlive = request.param("keep_alive");
    if (keepAlive == null || keepAlive.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("keep alive not specified")));
    }
    return responder -> responder.json(200, pits.create(where, keepAlive, allowPartial));
  }

  private RestAction delete(RestRequest request) {
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!key.equals("pit_id")) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "Unknown parameter ["
                    + key
                    + "] in request body or parameter is of the wrong type["
                    + body.get(key)
                    + "] "));
      }
    }
    List<String> ids = new ArrayList<>();
    switch (body.get("pit_id")) {
      case null -> {
        // Refused below.
      }
      case String one -> ids.add(one);
      case List<?> several -> several.forEach(one -> ids.add(String.valueOf(one)));
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument("pit_id element should only contain pit_id"));
    }
    if (ids.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("no pit ids specified")));
    }
    return responder -> responder.json(200, pits.delete(ids));
  }
}
