package io.varve.engine.search.aggregation;

import io.varve.search.mapping.Mapping;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * The context in which aggregations are executed.
 *
 * @param query matches the documents to aggregate
 * @param tools access to the search
 * @param memory is charged for buckets
 */
public record AggregationContext(
    IndexSearcher searcher,
    Ground ground,
    Query query,
    AggregationTools tools,
    MemoryAccount memory,
    Traversal traversal) {

  /** Metadata of the index. */
  public record Ground(String index, Mapping mapping, long nowMillis) {}

  /**
   * How documents are visited.
   *
   * @param everyDocument every match is visited, so segments may be counted as a whole
   * @param sliced several slices are searched, whose results are merged before they are truncated
   */
  public record Traversal(boolean everyDocument, boolean sliced) {}

  Mapping mapping() {
    return ground.mapping();
  }

  long nowMillis() {
    return ground.nowMillis();
  }

  AggregationContext sliced(boolean sliced) {
    return new AggregationContext(
        searcher, ground, query, tools, memory, new Traversal(traversal.everyDocument, sliced));
  }
}
