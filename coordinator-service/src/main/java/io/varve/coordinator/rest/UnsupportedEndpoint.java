package io.varve.coordinator.rest;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Endpoints of OpenSearch that Varve does not have: their paths are known, and the error gives the
 * reason in one sentence.
 */
public final class UnsupportedEndpoint implements RestEndpoint {

  private static final List<RestMethod> READING = List.of(RestMethod.GET);
  private static final List<RestMethod> WRITING =
      List.of(RestMethod.PUT, RestMethod.POST, RestMethod.DELETE);
  private static final List<RestMethod> ANY =
      List.of(RestMethod.GET, RestMethod.PUT, RestMethod.POST, RestMethod.DELETE);

  private final String reason;
  private final List<Route> routes;

  private UnsupportedEndpoint(String reason, List<Route> routes) {
    this.reason = reason;
    this.routes = routes;
  }

  /** Returns one endpoint for each reason. */
  public static List<UnsupportedEndpoint> all() {
    List<UnsupportedEndpoint> all = new ArrayList<>();
    all.add(
        of(
            "the number of shards of an index is fixed when it is created, because each shard is a"
                + " partition of its log; reindex into a new index instead",
            Route.putAndPost(
                "/{index}/_shrink/{target}",
                "/{index}/_split/{target}",
                "/{index}/_clone/{target}")));
    all.add(
        of(
            "Varve has no data streams; an alias with a write index and _rollover does the same",
            Route.of(ANY, "/_data_stream/{name}"),
            Route.of(READING, "/_data_stream/{name}/_stats", "/_data_stream/_stats")));
    all.add(
        of(
            "Varve has no snapshots; each copy is rebuilt from the log and the segment store",
            Route.of(ANY, "/_snapshot/{repository}", "/_snapshot/{repository}/{snapshot}"),
            Route.of(READING, "/_snapshot/_status", "/_snapshot/{repository}/{snapshot}/_status"),
            Route.of(
                List.of(RestMethod.POST),
                "/_snapshot/{repository}/_verify",
                "/_snapshot/{repository}/_cleanup",
                "/_snapshot/{repository}/{snapshot}/_restore")));
    all.add(
        of(
            "no index can dangle: an index that is not in the cluster log does not exist",
            Route.of(WRITING, "/_dangling/{index_uuid}")));
    all.add(
        of(
            "segments always have the newest format, so there is nothing to upgrade",
            Route.getAndPost("/_upgrade", "/{index}/_upgrade")));
    all.add(
        of(
            "copies have no stores that have to agree: each is rebuilt from the log; see _recovery",
            Route.get("/_shard_stores", "/{index}/_shard_stores")));
    all.add(
        of(
            "Varve has no ingest pipelines; documents are logged as they are sent",
            Route.of(ANY, "/_ingest/pipeline/{id}"),
            Route.getAndPost("/_ingest/pipeline/_simulate", "/_ingest/pipeline/{id}/_simulate"),
            Route.get("/_ingest/processor/grok")));
    all.add(of("Varve has no search pipelines", Route.of(ANY, "/_search/pipeline/{id}")));
    all.add(
        of(
            "Varve runs no scripts, so there are none to store and no templates to fill",
            Route.of(ANY, "/_scripts/{id}"),
            Route.putAndPost("/_scripts/{id}/{context}"),
            Route.getAndPost(
                "/_scripts/painless/_execute",
                "/_search/template",
                "/{index}/_search/template",
                "/_msearch/template",
                "/{index}/_msearch/template",
                "/_render/template",
                "/_render/template/{id}")));
    all.add(
        of(
            "Varve has no index state management; use _rollover and aliases",
            Route.of(ANY, "/_plugins/_ism/policies/{id}"),
            Route.getAndPost(
                "/_plugins/_ism/add/{index}",
                "/_plugins/_ism/remove/{index}",
                "/_plugins/_ism/explain/{index}")));
    return all;
  }

  @SafeVarargs
  private static UnsupportedEndpoint of(String reason, List<Route>... routes) {
    List<Route> all = new ArrayList<>();
    for (List<Route> some : routes) {
      all.addAll(some);
    }
    return new UnsupportedEndpoint(reason, List.copyOf(all));
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean readsLines() {
    return true;
  }

  @Override
  public RestAction prepare(RestRequest request) {
    // All parameters are accepted, because the response is always the same.
    request.readEverything();
    return responder -> {
      throw new ApiException(
          ErrorBody.illegalArgument("[" + request.path() + "] is not supported: " + reason));
    };
  }
}
