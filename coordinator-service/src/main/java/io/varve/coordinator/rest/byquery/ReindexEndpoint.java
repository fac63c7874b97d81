package io.varve.coordinator.rest.byquery;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.search.SearchOptions;
import io.varve.coordinator.rest.search.ShardPreference;
import io.varve.events.Json;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.search.SearchRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code _reindex}: copies the hits of a search into another index of this cluster. */
final class ReindexEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final ByQueryLauncher launch;

  ReindexEndpoint(ClusterAccess cluster, ByQueryLauncher launch) {
    this.cluster = cluster;
    this.launch = launch;
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestMethod.POST, "/_reindex"));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"source\":{\"index\":\"books\"},\"dest\":{\"index\":\"copy\"}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    ReindexBody body = ReindexBody.parse(request.bodyAsMap());
    ByQuery.Options options = ByQueryParameters.of(request, body.requested());
    SearchOptions.Where where =
        new SearchOptions.Where(
            body.source().expression(), IndexOptions.LENIENT, null, ShardPreference.NONE);
    Map<String, Object> search = body.source().search();
    SearchRequest parsed = SearchRequest.parse(Json.write(search), Map.of());
    ReindexBody.Dest dest = body.dest();
    ByQuery query =
        new ByQuery(
            ByQueryKind.REINDEX,
            "reindex from [" + body.source().expression() + "] to [" + dest.index() + "]",
            new ByQuery.Found(where, search, new LinkedHashMap<>(), parsed.scope().slice()),
            found ->
                HitWrites.copy(
                    dest.index(),
                    found,
                    parsed.parts().source().apply(HitWrites.source(found)),
                    dest.routing(found.hit().routing()),
                    dest.create(),
                    dest.versionType()),
            options);
    RestAction run = launch.of(query, request.flag("wait_for_completion", true));
    return RestAction.task(
        Objects.requireNonNull(run.task()),
        (RestResponder responder) -> {
          refuseItself(body);
          run.run(responder);
        });
  }

  private void refuseItself(ReindexBody body) {
    ClusterState state = cluster.state();
    String dest =
        DocumentTargets.toWrite(state, body.dest().index())
            .map(found -> found.index().name())
            .orElse(body.dest().index());
    boolean same =
        IndexResolver.search(state, body.source().expression(), IndexOptions.LENIENT, null).stream()
            .anyMatch(found -> found.index().name().equals(dest));
    if (same) {
      throw new ApiException(
          ErrorBodies.validation(
              List.of("reindex cannot write into an index its reading from [" + dest + "]")));
    }
  }
}
