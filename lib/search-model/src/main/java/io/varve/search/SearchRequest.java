package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.Aggregations;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.query.HitsRequest;
import io.varve.search.query.HitsRequest.HitParts;
import io.varve.search.query.HitsRequest.Page;
import io.varve.search.query.Query;
import io.varve.search.query.QueryWalk;
import io.varve.search.query.SortKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A parsed search. Nodes exchange its body and URL parameters instead of this object: all of them
 * parse the same bytes to the same request.
 *
 * @param postFilter narrows the hits, but not the aggregations
 * @param trackTotalHitsUpTo hits are counted exactly up to this number; {@link #ALL_HITS} for all,
 *     {@link #NO_HITS} for none
 * @param ranking how the hits are boosted, rescored and grouped
 * @param scope which part of the data is searched
 */
public record SearchRequest(
    Query query,
    @Nullable Query postFilter,
    HitsRequest hits,
    Limits limits,
    int trackTotalHitsUpTo,
    Scope scope,
    Ranking ranking,
    Aggregations aggregations,
    Origin origin) {

  public static final int DEFAULT_SIZE = 10;
  public static final int DEFAULT_TRACKED_HITS = 10_000;
  public static final int DEFAULT_MAX_RESULT_WINDOW = 10_000;
  public static final int ALL_HITS = Integer.MAX_VALUE;
  public static final int NO_HITS = -1;

  /** The URL parameters that are part of the request itself. */
  public static final Set<String> URL_PARAMETERS =
      Set.of(
          "q",
          "df",
          "default_operator",
          "analyzer",
          "analyze_wildcard",
          "lenient",
          "from",
          "size",
          "sort",
          "_source",
          "_source_includes",
          "_source_excludes",
          "stored_fields",
          "docvalue_fields",
          "explain",
          "include_named_queries_score",
          "rest_total_hits_as_int",
          "track_total_hits",
          "track_scores",
          "version",
          "seq_no_primary_term",
          "terminate_after",
          "timeout");

  /**
   * @param timeoutMillis 0 for the default, -1 for none
   * @param terminateAfter number of hits after which a shard stops, 0 for no limit
   */
  public record Limits(@Nullable Float minScore, long timeoutMillis, int terminateAfter) {}

  /**
   * @param pit the point in time that is searched, or null for the current state
   * @param slice the part of the documents that is searched, or null for all
   * @param groups statistics groups in which the search is also counted
   */
  public record Scope(@Nullable PointInTime pit, @Nullable Slice slice, List<String> groups) {

    public static final Scope ALL = new Scope(null, null, List.of());
  }

  /**
   * @param keepAlive a duration as given by the client, or null to leave the expiry unchanged
   */
  public record PointInTime(String id, @Nullable String keepAlive) {}

  /** The bytes and URL parameters that the request was parsed from. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Origin(byte[] body, Map<String, String> parameters) {
    public Origin {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * Parses a request; throws an {@link ApiException} with OpenSearch's error text. Parameters that
   * are not in {@link #URL_PARAMETERS} are ignored. A parameter overrides the body.
   */
  public static SearchRequest parse(byte[] body, Map<String, String> parameters) {
    return SearchRequestParser.parse(body, parameters);
  }

  /** Sort keys; empty to sort by score. */
  public List<SortKey> sort() {
    return hits.sort();
  }

  public Page page() {
    return hits.page();
  }

  public HitParts parts() {
    return hits.parts();
  }

  /** Whether totals are written as plain numbers. */
  public boolean totalsAsNumbers() {
    return hits.totalsAsNumbers();
  }

  /** Whether hits are sorted by score, best first. */
  public boolean sortedByScore() {
    return hits.sortedByScore();
  }

  /** Visits all queries of the request, including those inside other queries and aggregations. */
  public void forEachQuery(Consumer<Query> visitor) {
    forEachOuterQuery(outer -> QueryWalk.each(outer, visitor));
  }

  /** Visits all queries of the request that are not inside another query. */
  public void forEachOuterQuery(Consumer<Query> visitor) {
    visitor.accept(query);
    if (postFilter != null) {
      visitor.accept(postFilter);
    }
    ranking.rescores().forEach(rescore -> visitor.accept(rescore.query()));
    forEachQuery(aggregations.tree(), visitor);
  }

  private static void forEachQuery(AggregationTree tree, Consumer<Query> visitor) {
    for (AggregationNode node : tree.collected()) {
      if (node.aggregation() instanceof BucketAggregation bucket) {
        bucket.queries().forEach(visitor);
      }
      forEachQuery(node.children(), visitor);
    }
  }

  /** The error for a page that ends beyond the index's result window, or null. */
  public @Nullable ErrorBody checkResultWindow(int maxResultWindow) {
    long end = (long) page().from() + page().size();
    if (end <= maxResultWindow) {
      return null;
    }
    return ErrorBody.illegalArgument(
        "Result window is too large, from + size must be less than or equal to: ["
            + maxResultWindow
            + "] but was ["
            + end
            + "]. See the scroll api for a more efficient way to request large data sets. This"
            + " limit can be set by changing the [index.max_result_window] index level setting.");
  }
}
