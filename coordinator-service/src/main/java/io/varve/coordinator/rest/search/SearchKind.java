package io.varve.coordinator.rest.search;

import io.varve.client.routing.CopyTrials;
import io.varve.search.SearchRequest;

/**
 * Groups searches that take a similar time because they have the same indices, kind of query and
 * additional work.
 */
final class SearchKind {

  private SearchKind() {}

  static CopyTrials.Plan plan(
      SearchRequest request, SearchOptions searchOptions, SearchBudget budget) {
    return new CopyTrials.Plan(of(request, searchOptions), true, budget.deadline(), budget.task());
  }

  /** Plans a step that asks one copy after the other and ends when its search ends. */
  static CopyTrials.Plan step(String kind, SearchBudget budget) {
    return new CopyTrials.Plan(kind, false, budget.deadline(), budget.task());
  }

  /** Returns the kind of a search. Of the page size, only the order of magnitude counts. */
  private static String of(SearchRequest request, SearchOptions searchOptions) {
    int size = request.page().size();
    return String.join(
        "/",
        String.valueOf(searchOptions.where().expression()),
        request.query().getClass().getSimpleName(),
        request.aggregations().isEmpty() ? "" : "aggregations",
        Integer.toString(32 - Integer.numberOfLeadingZeros(size)));
  }
}
