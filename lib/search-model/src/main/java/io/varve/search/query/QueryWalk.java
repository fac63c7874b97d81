package io.varve.search.query;

import io.varve.search.Ranking;
import io.varve.search.SearchRequest;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import java.util.function.Consumer;

/** Goes through queries and those within them. */
public final class QueryWalk {

  private QueryWalk() {}

  /** All queries of a request. */
  public static void each(SearchRequest request, Consumer<Query> visitor) {
    each(request.query(), visitor);
    Query postFilter = request.postFilter();
    if (postFilter != null) {
      each(postFilter, visitor);
    }
    for (Ranking.Rescore rescore : request.ranking().rescores()) {
      each(rescore.query(), visitor);
    }
    each(request.aggregations().tree(), visitor);
  }

  private static void each(AggregationTree tree, Consumer<Query> visitor) {
    for (AggregationNode node : tree.collected()) {
      if (node.aggregation() instanceof BucketAggregation bucket) {
        bucket.queries().forEach(query -> each(query, visitor));
      }
      each(node.children(), visitor);
    }
  }

  public static void each(Query query, Consumer<Query> visitor) {
    visitor.accept(query);
    switch (query) {
      case Query.Bool bool -> {
        bool.must().forEach(inner -> each(inner, visitor));
        bool.filter().forEach(inner -> each(inner, visitor));
        bool.should().forEach(inner -> each(inner, visitor));
        bool.mustNot().forEach(inner -> each(inner, visitor));
      }
      case Query.ConstantScore constant -> each(constant.filter(), visitor);
      case Query.Named named -> each(named.query(), visitor);
      case CompoundQuery.DisMax disMax -> disMax.queries().forEach(inner -> each(inner, visitor));
      case CompoundQuery.Boosting boosting -> {
        each(boosting.positive(), visitor);
        each(boosting.negative(), visitor);
      }
      case CompoundQuery.Nested nested -> each(nested.query(), visitor);
      case ScoreQuery.FunctionScore score -> {
        each(score.query(), visitor);
        for (ScoreQuery.Filtered function : score.functions()) {
          Query filter = function.filter();
          if (filter != null) {
            each(filter, visitor);
          }
        }
      }
      default -> {}
    }
  }
}
