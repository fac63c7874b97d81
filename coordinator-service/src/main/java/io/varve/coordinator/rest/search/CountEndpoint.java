package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code _count}: a search that counts everything and shows nothing. */
public final class CountEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final Counter counter;

  public CountEndpoint(ClusterAccess cluster, Counter counter) {
    this.cluster = cluster;
    this.counter = counter;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_count", "/{index}/_count");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    String routing = request.param("routing");
    String preference = request.param("preference");
    byte[] body = request.body();
    checkKeys(request.bodyAsMap());
    Map<String, String> parameters = new LinkedHashMap<>(countParameters(request));
    parameters.putAll(Map.of("size", "0", "track_total_hits", "true"));
    SearchRequest search = SearchRequest.parse(body, parameters);
    return responder -> {
      List<SearchRouter.Target> targets =
          SearchTargets.of(SearchTargets.indices(cluster.state(), expression, options, routing));
      Counter.Counted counted = counter.count(targets, search, preference);
      responder.json(200, answer(counted, targets.size()));
    };
  }

  /** What says which documents are counted; how hits would be shown means nothing here. */
  private static Map<String, String> countParameters(RestRequest request) {
    return request.readAll(Set.of("q", "df", "default_operator"));
  }

  private static void checkKeys(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!key.equals("query")) {
        throw new ApiException(400, "parsing_exception", "request does not support [" + key + "]");
      }
    }
  }

  private static Map<String, Object> answer(Counter.Counted counted, int shards) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", shards);
    counts.put("successful", shards - counted.failures().size());
    counts.put("skipped", 0);
    counts.put("failed", counted.failures().size());
    if (!counted.failures().isEmpty()) {
      counts.put("failures", counted.failures().stream().map(ShardFailure::toMap).toList());
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("count", counted.count());
    answer.put("_shards", counts);
    return answer;
  }
}
