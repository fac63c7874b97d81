package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.document.ReplicationStates;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.search.SearchRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code _search}. */
public final class SearchEndpoint implements RestEndpoint {

  private final Searches searches;
  private final HitStates states;

  public SearchEndpoint(Searches searches, HitStates states) {
    this.searches = searches;
    this.states = states;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_search", "/{index}/_search");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    SearchOptions searchOptions = SearchOptions.of(request);
    boolean typedKeys = request.flag("typed_keys", false);
    byte[] body = request.body();
    boolean showsStates = request.flag(ReplicationStates.PARAMETER, false);
    Map<String, String> parameters = new LinkedHashMap<>(searchParameters(request));
    if (showsStates) {
      parameters.put("seq_no_primary_term", "true");
    }
    SearchRequest search = Searches.checked(SearchRequest.parse(body, parameters), searchOptions);
    if (showsStates) {
      HitStates.requireNow(search, searchOptions);
    }
    return RestAction.task(
        SearchTask.of(search, searchOptions),
        responder -> {
          search.aggregations().warnings().forEach(responder::warning);
          if (showsStates) {
            states.require(searchOptions.where());
          }
          SearchAnswer found = searches.search(search, searchOptions);
          SearchAnswer answer = showsStates ? states.show(found) : found;
          responder.json(200, answer.json(searchOptions.totalAsNumber(), typedKeys));
        });
  }

  /** The parameters that are part of the search itself. */
  static Map<String, String> searchParameters(RestRequest request) {
    return request.readAll(SearchRequest.URL_PARAMETERS);
  }
}
