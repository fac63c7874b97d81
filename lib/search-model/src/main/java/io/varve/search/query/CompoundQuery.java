package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query composed of other queries, or of values of another document. */
public sealed interface CompoundQuery extends Query {

  record DisMax(List<Query> queries, float tieBreaker, float boost) implements CompoundQuery {
    public DisMax {
      queries = List.copyOf(queries);
    }
  }

  record Boosting(Query positive, Query negative, float negativeBoost, float boost)
      implements CompoundQuery {}

  /** The function that combines the scores of nested objects into the score of the document. */
  enum ScoreMode {
    NONE,
    AVG,
    MAX,
    MIN,
    SUM
  }

  record Nested(
      String path,
      Query query,
      ScoreMode scoreMode,
      boolean ignoreUnmapped,
      @Nullable InnerHits innerHits,
      float boost)
      implements CompoundQuery {}

  /** Terms that are read from a field of another document. */
  record TermsLookup(
      String field, String index, String id, String path, @Nullable String routing, float boost)
      implements CompoundQuery {}

  /**
   * Matches documents that contain a minimum number of the terms; the minimum is read from a field
   * of each document.
   */
  record TermsSet(String field, List<Object> values, String minimumField, float boost)
      implements CompoundQuery {
    public TermsSet {
      values = List.copyOf(values);
    }
  }
}
