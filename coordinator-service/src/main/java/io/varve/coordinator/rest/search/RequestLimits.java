package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.Ranking;
import io.varve.search.SearchRequest;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.query.Collapse;
import io.varve.search.query.CompoundQuery;
import io.varve.search.query.FullTextQuery;
import io.varve.search.query.QueryWalk;

/**
 * Limits the number of clauses and other parts of a search, independently of its indices. Each part
 * uses memory on every shard while the search runs, so a request of a few hundred kilobytes could
 * fill a heap.
 */
final class RequestLimits {

  private RequestLimits() {}

  static void check(ClusterState state, SearchRequest request) {
    Ranking ranking = request.ranking();
    Collapse collapse = ranking.collapse();
    Parts parts = new Parts();
    request.forEachOuterQuery(parts::addOuter);
    request.forEachQuery(parts::add);
    check(state, "aggregations", parts(request), ClusterSettings.MAX_AGGREGATIONS);
    check(state, "rescores", ranking.rescores().size(), ClusterSettings.MAX_RESCORES);
    check(state, "sort fields", request.sort().size(), ClusterSettings.MAX_SORT_FIELDS);
    check(
        state,
        "inner hits",
        parts.innerHits + (collapse == null ? 0 : collapse.innerHits().size()),
        ClusterSettings.MAX_INNER_HITS);
    check(state, "queries within each other", parts.depth, ClusterSettings.MAX_NESTED_DEPTH);
    checkLength(state, parts.longestQueryString);
  }

  /** Counts the parts of all queries in a request. */
  private static final class Parts {
    private int innerHits;
    private int longestQueryString;
    private int depth;

    void addOuter(io.varve.search.query.Query query) {
      depth = Math.max(depth, QueryWalk.depth(query));
    }

    void add(io.varve.search.query.Query query) {
      if (query instanceof CompoundQuery.Nested nested && nested.innerHits() != null) {
        innerHits++;
      } else if (query instanceof FullTextQuery.QueryString string) {
        longestQueryString = Math.max(longestQueryString, string.text().length());
      }
    }
  }

  private static int parts(SearchRequest request) {
    return parts(request.aggregations().tree());
  }

  private static int parts(AggregationTree tree) {
    int count = tree.collected().size() + tree.pipelines().size();
    for (AggregationNode node : tree.collected()) {
      count += parts(node.children());
    }
    return count;
  }

  private static void check(ClusterState state, String what, int count, String setting) {
    int most = (int) ClusterSettings.number(state, setting);
    if (count > most) {
      throw refused(
          "The number of "
              + what
              + " ["
              + count
              + "] exceeds the allowed maximum of ["
              + most
              + "]. This limit can be set by changing the ["
              + setting
              + "] cluster level setting.");
    }
  }

  private static void checkLength(ClusterState state, int length) {
    int most = (int) ClusterSettings.number(state, ClusterSettings.MAX_QUERY_STRING_LENGTH);
    if (length > most) {
      throw refused(
          "Query string length exceeds max allowed length "
              + most
              + " ("
              + ClusterSettings.MAX_QUERY_STRING_LENGTH
              + "); actual length: "
              + length);
    }
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
