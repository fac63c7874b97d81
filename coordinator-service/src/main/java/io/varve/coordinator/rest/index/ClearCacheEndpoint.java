package io.varve.coordinator.rest.index;

import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code _cache/clear}: clears on all copies the caches that the parameters name; without
 * parameters, all caches.
 */
public final class ClearCacheEndpoint implements RestEndpoint {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;

  public ClearCacheEndpoint(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/_cache/clear", "/{index}/_cache/clear");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    boolean query = request.flag("query", false);
    boolean fielddata = request.flag("fielddata", false);
    boolean results = request.flag("request", false);
    List<String> fields = request.list("fields");
    // Accepted without effect: files are cached by the operating system.
    boolean files = request.flag("file", false);
    boolean all = !(query || fielddata || results || files || !fields.isEmpty());
    Map<String, String> caches = new LinkedHashMap<>();
    if (all || query) {
      caches.put("query", "true");
    }
    if (all || results) {
      caches.put("request", "true");
    }
    if (all || fielddata || !fields.isEmpty()) {
      caches.put("fielddata", "true");
    }
    if (!fields.isEmpty()) {
      caches.put("fields", String.join(",", fields));
    }
    request.hasBody();
    return responder -> {
      ClusterState state = cluster.state();
      ShardCounts counts =
          new CopyBroadcast(parallel)
              .ask(
                  state,
                  IndexResolver.resolve(state, expression, options),
                  false,
                  copy -> {
                    if (!caches.isEmpty()) {
                      client.clearCaches(copy, caches, TIMEOUT);
                    }
                  });
      responder.json(200, Map.of("_shards", counts.toMap()));
    };
  }
}
