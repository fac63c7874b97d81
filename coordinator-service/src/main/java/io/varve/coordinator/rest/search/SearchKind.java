package io.varve.coordinator.rest.search;

import io.varve.client.routing.CopyTrials;
import io.varve.search.SearchRequest;

/**
 * What searches take similar time: those of the same indices, with the same kind of query, and the
 * same to do beside it.
 */
final class SearchKind {

  private SearchKind() {}

  static CopyTrials.Plan plan(SearchRequest request, SearchHow how, SearchBudget budget) {
    return new CopyTrials.Plan(of(request, how), true, budget.deadline(), budget.task());
  }

  /** Of a step that is asked of one copy after the other, and ends with its search. */
  static CopyTrials.Plan step(String kind, SearchBudget budget) {
    return new CopyTrials.Plan(kind, false, budget.deadline(), budget.task());
  }

  /** The size of a page counts by its magnitude. */
  private static String of(SearchRequest request, SearchHow how) {
    int size = request.page().size();
    return String.join(
        "/",
        String.valueOf(how.where().expression()),
        request.query().getClass().getSimpleName(),
        request.aggregations().isEmpty() ? "" : "aggregations",
        Integer.toString(32 - Integer.numberOfLeadingZeros(size)));
  }
}
