package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.events.Json;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code _explain}: why a document matches a query, or does not match. */
public final class ExplainEndpoint implements RestEndpoint {

  private final Searches searches;

  public ExplainEndpoint(Searches searches) {
    this.searches = searches;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/{index}/_explain/{id}");
  }

  /** The query and the document to explain, with the document's shard. */
  private record Asked(
      String index,
      String id,
      Map<String, Object> body,
      Map<String, String> parameters,
      boolean withSource,
      SearchOptions searchOptions) {}

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"query\":{\"match\":{\"title\":\"sand\"}}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String index = request.required("index");
    String id = request.required("id");
    String routing = request.param("routing");
    SearchOptions searchOptions =
        new SearchOptions(
            new SearchOptions.Where(
                index,
                IndexOptions.STRICT,
                routing == null ? id : routing,
                ShardPreference.parse(request.param("preference"))),
            SearchOptions.Effort.USUAL,
            null,
            false);
    Map<String, String> parameters = new LinkedHashMap<>(SearchEndpoint.searchParameters(request));
    parameters.keySet().removeAll(List.of("from", "size", "sort", "explain"));
    boolean withSource = parameters.keySet().stream().anyMatch(name -> name.startsWith("_source"));
    Map<String, Object> body = new LinkedHashMap<>(request.bodyAsMap());
    for (String key : body.keySet()) {
      if (!key.equals("query")) {
        throw new ApiException(400, "parsing_exception", "request does not support [" + key + "]");
      }
    }
    if (body.isEmpty() && !parameters.containsKey("q")) {
      throw new ApiException(
          ErrorBody.of(
              400,
              "action_request_validation_exception",
              "Validation Failed: 1: query is missing;"));
    }
    Asked asked = new Asked(index, id, body, parameters, withSource, searchOptions);
    // Reject invalid requests before executing anything.
    search(asked, asked.body, parameters);
    return responder -> {
      Map<String, Object> answer = answer(asked);
      responder.json(answer.containsKey("explanation") ? 200 : 404, answer);
    };
  }

  /** Returns a search whose only possible hit is the document, scored by the query. */
  private static SearchRequest search(
      Asked asked, Map<String, Object> query, Map<String, String> parameters) {
    Map<String, Object> body = new LinkedHashMap<>(query);
    body.put("post_filter", Map.of("ids", Map.of("values", List.of(asked.id))));
    body.put("size", 1);
    body.put("explain", true);
    body.put("version", true);
    body.put("seq_no_primary_term", true);
    return SearchRequest.parse(Json.write(body), parameters);
  }

  private Map<String, Object> answer(Asked asked) throws InterruptedException {
    IndexHit matching = hit(asked, asked.body, asked.parameters);
    Map<String, String> others = new LinkedHashMap<>(asked.parameters);
    others.keySet().removeAll(List.of("q", "df", "default_operator", "analyzer", "lenient"));
    IndexHit document =
        matching != null
            ? matching
            : hit(asked, Map.of("query", Map.of("match_all", Map.of())), others);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_index", document == null ? asked.index : document.index());
    answer.put("_id", asked.id);
    answer.put("matched", matching != null);
    if (document == null) {
      return answer;
    }
    answer.put("explanation", matching == null ? noMatch() : explanation(matching.hit()));
    if (asked.withSource) {
      answer.put("get", shown(document.hit(), search(asked, Map.of(), others)));
    }
    return answer;
  }

  private @Nullable IndexHit hit(
      Asked asked, Map<String, Object> query, Map<String, String> parameters)
      throws InterruptedException {
    List<IndexHit> hits =
        searches.search(search(asked, query, parameters), asked.searchOptions).reduced().hits();
    return hits.isEmpty() ? null : hits.getFirst();
  }

  private static Map<String, Object> noMatch() {
    Map<String, Object> explanation = new LinkedHashMap<>();
    explanation.put("value", 0.0);
    explanation.put("description", "no match on the query");
    explanation.put("details", List.of());
    return explanation;
  }

  private static Object explanation(ShardHit hit) {
    for (ShardHit.Part part : hit.extras().parts()) {
      if (part.name().equals("_explanation")) {
        return Json.mapper().readTree(part.json());
      }
    }
    return noMatch();
  }

  private static Map<String, Object> shown(ShardHit hit, SearchRequest request) {
    Map<String, Object> get = new LinkedHashMap<>();
    get.put("_seq_no", hit.stamp().seqNo());
    get.put("_primary_term", hit.stamp().primaryTerm());
    get.put("found", true);
    byte[] source = hit.source();
    if (source != null && request.parts().source().enabled()) {
      get.put("_source", Json.mapper().readTree(request.parts().source().apply(source)));
    }
    return get;
  }
}
