package io.varve.search.query;

import java.util.Collection;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Visits a query and the queries within it. */
public final class QueryWalk {

  private QueryWalk() {}

  public static void each(Query query, Consumer<Query> visitor) {
    visitor.accept(query);
    inner(query).forEach(inner -> each(inner, visitor));
  }

  /** The maximum nesting depth of queries, including this one. */
  public static int depth(Query query) {
    int inner = inner(query).mapToInt(QueryWalk::depth).max().orElse(0);
    // A named query does not add a level.
    return query instanceof Query.Named ? inner : inner + 1;
  }

  private static Stream<Query> inner(Query query) {
    return switch (query) {
      case Query.Bool bool ->
          Stream.of(bool.must(), bool.filter(), bool.should(), bool.mustNot())
              .flatMap(Collection::stream);
      case Query.ConstantScore constant -> Stream.of(constant.filter());
      case Query.Named named -> Stream.of(named.query());
      case CompoundQuery.DisMax disMax -> disMax.queries().stream();
      case CompoundQuery.Boosting boosting -> Stream.of(boosting.positive(), boosting.negative());
      case CompoundQuery.Nested nested -> Stream.of(nested.query());
      case ScoreQuery.FunctionScore score ->
          Stream.concat(
              Stream.of(score.query()),
              score.functions().stream()
                  .map(ScoreQuery.Filtered::filter)
                  .flatMap(Stream::ofNullable));
      default -> Stream.empty();
    };
  }
}
