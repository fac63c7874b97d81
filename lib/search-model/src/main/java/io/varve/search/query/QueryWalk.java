package io.varve.search.query;

import java.util.function.Consumer;

/** Visits a query and the queries within it. */
public final class QueryWalk {

  private QueryWalk() {}

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
