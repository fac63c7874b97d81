package io.varve.coordinator.rest.search;

import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.search.SearchRequest;
import java.util.List;
import java.util.Map;

/** {@code _search}. */
public final class SearchEndpoint implements RestEndpoint {

  private final Searches searches;

  public SearchEndpoint(Searches searches) {
    this.searches = searches;
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
    SearchRequest search =
        Searches.checked(SearchRequest.parse(body, searchParameters(request)), searchOptions);
    return RestAction.task(
        SearchTask.of(search, searchOptions),
        responder -> {
          search.aggregations().warnings().forEach(responder::warning);
          responder.json(
              200,
              searches
                  .search(search, searchOptions)
                  .json(searchOptions.totalAsNumber(), typedKeys));
        });
  }

  /** The parameters that are part of the search itself. */
  static Map<String, String> searchParameters(RestRequest request) {
    return request.readAll(SearchRequest.URL_PARAMETERS);
  }
}
