package io.varve.engine.search.aggregation;

import io.varve.search.mapping.Mapping;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Under what aggregations are executed.
 *
 * @param query what the documents match that are looked at
 * @param tools that a search has beside
 * @param memory is charged for what buckets hold
 */
public record AggregationContext(
    IndexSearcher searcher,
    Ground ground,
    Query query,
    AggregationTools tools,
    MemoryAccount memory,
    Course course) {

  /** What is known of the index. */
  public record Ground(String index, Mapping mapping, long nowMillis) {}

  /**
   * How the shard is looked at.
   *
   * @param everyDocument that matches is looked at, so that segments may be counted as a whole
   * @param sliced several slices are looked at, whose results are merged before they are cut
   */
  public record Course(boolean everyDocument, boolean sliced) {}

  Mapping mapping() {
    return ground.mapping();
  }

  long nowMillis() {
    return ground.nowMillis();
  }

  AggregationContext sliced(boolean sliced) {
    return new AggregationContext(
        searcher, ground, query, tools, memory, new Course(course.everyDocument, sliced));
  }
}
