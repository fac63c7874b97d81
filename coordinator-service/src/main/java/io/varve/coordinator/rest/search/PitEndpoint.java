package io.varve.coordinator.rest.search;

import io.varve.client.consistency.ReadPromise;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.consistency.ReadPromises;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code _search/point_in_time}: lists and deletes points in time. */
final class PitEndpoint implements RestEndpoint {

  private static final String PATH = "/_search/point_in_time";

  private final Pits pits;

  private PitEndpoint(Pits pits) {
    this.pits = pits;
  }

  /** Returns this endpoint and the endpoint that opens points in time. */
  static List<RestEndpoint> all(Pits pits) {
    return List.of(new PitEndpoint(pits), new Opening(pits));
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestMethod.GET, PATH + "/_all"),
        new Route(RestMethod.DELETE, PATH + "/_all"),
        new Route(RestMethod.DELETE, PATH));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"pit_id\":\"AQIgNmQ1\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    if (!request.path().endsWith("/_all")) {
      return delete(request);
    }
    return request.method() == RestMethod.GET
        ? responder -> responder.json(200, pits.list())
        : responder -> responder.json(200, pits.deleteAll());
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
        // Rejected below.
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

  /** {@code POST /{index}/_search/point_in_time}. */
  private record Opening(Pits pits) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return List.of(new Route(RestMethod.POST, "/{index}" + PATH));
    }

    @Override
    public RequestExample example() {
      return RequestExample.ofParameters(Map.of("keep_alive", "1m"));
    }

    @Override
    public RestAction prepare(RestRequest request) {
      SearchOptions.Where where =
          new SearchOptions.Where(
              request.required("index"),
              IndexOptions.of(request, IndexOptions.LENIENT),
              request.param("routing"),
              ShardPreference.parse(request.param("preference")));
      boolean allowPartial = request.flag("allow_partial_pit_creation", true);
      ReadPromise promise = ReadPromises.of(request);
      String keepAlive = request.param("keep_alive");
      if (keepAlive == null || keepAlive.isEmpty()) {
        throw new ApiException(ErrorBodies.validation(List.of("keep alive not specified")));
      }
      return responder -> responder.json(200, pits.create(where, keepAlive, allowPartial, promise));
    }
  }
}
