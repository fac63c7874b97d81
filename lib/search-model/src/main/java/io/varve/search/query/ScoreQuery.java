package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that makes scores of values. */
public sealed interface ScoreQuery extends Query {

  /**
   * Nearer to the origin scores higher.
   *
   * @param origin a date or a point
   * @param pivot the distance, a time or a length, at which half the boost is left
   */
  record DistanceFeature(String field, Object origin, String pivot, float boost)
      implements ScoreQuery {}

  /** How the values of several functions become one. */
  enum FunctionsMode {
    MULTIPLY,
    SUM,
    AVG,
    FIRST,
    MAX,
    MIN
  }

  /** How the functions' value and the query's score become one. */
  enum BoostMode {
    MULTIPLY,
    REPLACE,
    SUM,
    AVG,
    MAX,
    MIN
  }

  record FunctionScore(
      Query query,
      List<Filtered> functions,
      FunctionsMode functionsMode,
      BoostMode boostMode,
      float maxBoost,
      @Nullable Float minScore,
      float boost)
      implements ScoreQuery {
    public FunctionScore {
      functions = List.copyOf(functions);
    }
  }

  /**
   * A function for the documents that a filter leaves.
   *
   * @param filter null for all
   */
  record Filtered(@Nullable Query filter, Function function, @Nullable Float weight) {}

  /** What makes a number of a document. */
  sealed interface Function {

    /** The weight alone. */
    record Constant() implements Function {}

    /**
     * @param modifier {@code none}, {@code log}, {@code log1p} …
     * @param missing the value of documents without one, or null to refuse them
     */
    record FieldValue(String field, float factor, String modifier, @Nullable Double missing)
        implements Function {}

    /** The same for the same seed; null for another each time. */
    record Random(@Nullable Long seed, @Nullable String field) implements Function {}

    /**
     * @param kind {@code gauss}, {@code linear} or {@code exp}
     * @param origin a number, a date or a point; null for now, of dates
     */
    record Decay(
        String kind,
        String field,
        @Nullable Object origin,
        Object scale,
        @Nullable Object offset,
        double decay,
        String mode)
        implements Function {}
  }
}
