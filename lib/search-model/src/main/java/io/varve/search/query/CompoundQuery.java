package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query made of others. */
public sealed interface CompoundQuery extends Query {

  record DisMax(List<Query> queries, float tieBreaker, float boost) implements CompoundQuery {
    public DisMax {
      queries = List.copyOf(queries);
    }
  }

  record Boosting(Query positive, Query negative, float negativeBoost, float boost)
      implements CompoundQuery {}

  /** How the scores of an object's parts become the object's. */
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

  /** Terms that stand in a field of another document. */
  record TermsLookup(
      String field, String index, String id, String path, @Nullable String routing, float boost)
      implements CompoundQuery {}

  /** Of these terms a document must have as many as a field of its own says. */
  record TermsSet(String field, List<Object> values, String minimumField, float boost)
      implements CompoundQuery {
    public TermsSet {
      values = List.copyOf(values);
    }
  }
}
