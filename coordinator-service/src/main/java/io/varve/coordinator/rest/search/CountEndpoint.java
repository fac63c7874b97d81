package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.search.SearchRequest;
import io.varve.search.ShardFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code _count}: a search that counts all matching documents and returns no hits. */
public final class CountEndpoint implements RestEndpoint {

  /** The parameters that affect which documents are counted. */
  private static final Set<String> PARAMETERS =
      Set.of(
          "q",
          "df",
          "default_operator",
          "analyzer",
          "analyze_wildcard",
          "lenient",
          "min_score",
          "terminate_after");

  private final Counter counter;

  public CountEndpoint(Counter counter) {
    this.counter = counter;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_count", "/{index}/_count");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    SearchOptions.Where where =
        new SearchOptions.Where(
            request.param("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    byte[] body = request.body();
    checkKeys(request.bodyAsMap());
    Map<String, String> parameters = new LinkedHashMap<>(request.readAll(PARAMETERS));
    parameters.putAll(Map.of("size", "0", "track_total_hits", "true"));
    SearchRequest search = SearchRequest.parse(body, parameters);
    SearchOptions searchOptions =
        new SearchOptions(where, SearchOptions.Effort.USUAL, null, false)
            .promising(SearchOptions.Promised.of(request));
    return RestAction.task(
        SearchTask.of(search, searchOptions),
        responder -> responder.json(200, answer(counter.count(searchOptions, search))));
  }

  static void checkKeys(Map<String, Object> body) {
    for (String key : body.keySet()) {
      if (!key.equals("query")) {
        throw new ApiException(400, "parsing_exception", "request does not support [" + key + "]");
      }
    }
  }

  private static Map<String, Object> answer(Counter.Counted counted) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("total", counted.shards());
    counts.put("successful", counted.shards() - counted.failures().size());
    counts.put("skipped", 0);
    counts.put("failed", counted.failures().size());
    if (!counted.failures().isEmpty()) {
      counts.put("failures", counted.failures().stream().map(ShardFailure::toMap).toList());
    }
    if (!counted.seqNos().isEmpty()) {
      counts.put("visible_seq_no", counted.seqNos());
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("count", counted.count());
    if (counted.terminatedEarly()) {
      answer.put("terminated_early", true);
    }
    answer.put("_shards", counts);
    return answer;
  }
}
