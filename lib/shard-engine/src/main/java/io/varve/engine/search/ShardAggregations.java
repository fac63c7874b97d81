package io.varve.engine.search;

import io.varve.engine.search.aggregation.AggregationContext;
import io.varve.engine.search.aggregation.AggregationSearch;
import io.varve.engine.search.aggregation.MemoryAccount;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.aggregation.partial.Partials;
import java.io.IOException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Aggregates the documents that match a search's query, independent of {@code post_filter}. This is
 * a separate pass, so that hits can be found without visiting every document.
 */
final class ShardAggregations {

  private ShardAggregations() {}

  /**
   * @param query the query to aggregate
   * @param breaker is charged for memory held until the result is built
   */
  static Partials of(
      IndexSearcher searcher,
      ShardSearchRequest request,
      Query query,
      SearchTools tools,
      MemoryBreaker breaker)
      throws IOException {
    SearchRequest search = request.search();
    boolean everyDocument =
        search.limits().minScore() == null && search.limits().terminateAfter() == 0;
    try (MemoryAccount memory = breaker.open()) {
      AggregationContext context =
          new AggregationContext(
              searcher,
              tools.ground(),
              query,
              tools,
              memory,
              new AggregationContext.Traversal(everyDocument, false));
      return new AggregationSearch(context)
          .run(search.aggregations().tree(), new Bounded(searcher, search.limits()));
    }
  }

  /** Collects no more documents than the limit of the search allows. */
  private record Bounded(IndexSearcher searcher, SearchRequest.Limits limits)
      implements AggregationSearch.Collecting {
    @Override
    public <C extends Collector, T> T collect(Query query, CollectorManager<C, T> manager)
        throws IOException {
      return limits.minScore() == null && limits.terminateAfter() == 0
          ? searcher.search(query, manager)
          : searcher.search(
              query, new BoundedCollecting<>(manager, limits.minScore(), limits.terminateAfter()));
    }
  }
}
