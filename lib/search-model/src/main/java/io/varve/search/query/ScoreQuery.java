package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that computes scores from field values. */
public sealed interface ScoreQuery extends Query {

  /**
   * Scores documents higher the closer they are to an origin.
   *
   * @param origin a date or a point
   * @param pivot the distance, a duration or a length, at which half of the boost remains
   */
  record DistanceFeature(String field, Object origin, String pivot, float boost)
      implements ScoreQuery {}

  /** The operation that combines the values of several functions. */
  enum FunctionsMode {
    MULTIPLY,
    SUM,
    AVG,
    FIRST,
    MAX,
    MIN
  }

  /** The operation that combines the functions' value and the query's score. */
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
   * A function for the documents that match a filter.
   *
   * @param filter null for all documents
   */
  record Filtered(@Nullable Query filter, Function function, @Nullable Float weight) {}

  /** Computes a number for a document. */
  sealed interface Function {

    /** The constant 1, which the weight multiplies. */
    record Constant() implements Function {}

    /**
     * @param modifier {@code none}, {@code log}, {@code log1p} …
     * @param missing value of documents without one, or null to refuse them
     */
    record FieldValue(String field, float factor, String modifier, @Nullable Double missing)
        implements Function {}

    /**
     * @param seed makes the numbers reproducible; null for different numbers in each search
     */
    record Random(@Nullable Long seed, @Nullable String field) implements Function {}

    /**
     * @param kind {@code gauss}, {@code linear} or {@code exp}
     * @param origin a number, a date or a point; null for the current time
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
