package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed query. It is independent of a mapping: values are interpreted where the query is
 * executed.
 *
 * <p>This interface contains the most frequent queries; each family of others has its own
 * interface.
 */
public sealed interface Query
    permits Query.MatchAll,
        Query.MatchNone,
        Query.Match,
        Query.MatchPhrase,
        Query.MultiMatch,
        Query.Term,
        Query.Terms,
        Query.Range,
        Query.Bool,
        Query.Exists,
        Query.Ids,
        Query.ConstantScore,
        Query.Named,
        PatternQuery,
        FullTextQuery,
        CompoundQuery,
        ScoreQuery,
        GeoQuery,
        IntervalQuery,
        SpanQuery {

  float NO_BOOST = 1;

  /** The factor by which the query's scores are multiplied. */
  float boost();

  record MatchAll(float boost) implements Query {}

  record MatchNone() implements Query {
    @Override
    public float boost() {
      return NO_BOOST;
    }
  }

  /** The operator that combines the words of a text. */
  enum Operator {
    OR,
    AND
  }

  /**
   * Fuzzy matching of words.
   *
   * @param fuzziness {@code AUTO}, {@code AUTO:3,6}, {@code 0}, {@code 1}, {@code 2}, or null for
   *     none
   * @param rewrite how the matching terms are combined, or null
   */
  record Fuzzing(
      @Nullable String fuzziness,
      int prefixLength,
      int maxExpansions,
      boolean transpositions,
      @Nullable String rewrite) {

    public static final Fuzzing NONE = new Fuzzing(null, 0, 50, true, null);
  }

  /**
   * The options for matching a text.
   *
   * @param minimumShouldMatch as in OpenSearch ({@code 2}, {@code 75%}, {@code 2<75%}), or null
   * @param analysis how the text is analyzed
   * @param lenient whether a value that the field can't represent matches nothing instead of being
   *     refused
   * @param zeroTermsAll whether a text without words matches everything instead of nothing
   */
  record TextOptions(
      Operator operator,
      @Nullable String minimumShouldMatch,
      Fuzzing fuzzing,
      Analysis analysis,
      boolean lenient,
      boolean zeroTermsAll) {

    public static final TextOptions DEFAULT =
        new TextOptions(Operator.OR, null, Fuzzing.NONE, Analysis.DEFAULT, false, false);

    public @Nullable String analyzer() {
      return analysis.analyzer;
    }
  }

  /**
   * The options for analyzing a text.
   *
   * @param analyzer overrides that of the field, or null
   * @param synonymPhrases whether a synonym of several words matches as a phrase
   * @param positionIncrements whether removed words leave gaps in phrases
   */
  record Analysis(@Nullable String analyzer, boolean synonymPhrases, boolean positionIncrements) {

    public static final Analysis DEFAULT = by(null);

    /**
     * @param analyzer its name
     */
    public static Analysis by(@Nullable String analyzer) {
      return new Analysis(analyzer, true, true);
    }
  }

  record Match(String field, Object text, TextOptions options, float boost) implements Query {}

  record MatchPhrase(
      String field, Object text, int slop, Analysis analysis, boolean zeroTermsAll, float boost)
      implements Query {}

  /** The function that combines the scores of several fields. */
  enum FieldsType {
    /** The score of the best field plus a share of the scores of the other fields. */
    BEST_FIELDS,
    /** The sum over all fields. */
    MOST_FIELDS,
    /** The score as if all fields were one. */
    CROSS_FIELDS,
    PHRASE,
    PHRASE_PREFIX,
    BOOL_PREFIX
  }

  /**
   * @param field a name, or a pattern of names
   */
  record FieldBoost(String field, float boost) {}

  record MultiMatch(
      List<FieldBoost> fields,
      Object text,
      FieldsType type,
      float tieBreaker,
      int slop,
      TextOptions options,
      float boost)
      implements Query {
    public MultiMatch {
      fields = List.copyOf(fields);
    }
  }

  record Term(String field, Object value, boolean caseInsensitive, float boost) implements Query {}

  record Terms(String field, List<Object> values, float boost) implements Query {
    public Terms {
      values = List.copyOf(values);
    }
  }

  /** One end of a range. */
  record Bound(Object value, boolean inclusive) {}

  /** The required relation of the range of a document to the range of the query. */
  enum Relation {
    INTERSECTS,
    CONTAINS,
    WITHIN,
    DISJOINT
  }

  record Range(
      String field,
      @Nullable Bound from,
      @Nullable Bound to,
      @Nullable String format,
      @Nullable String timeZone,
      Relation relation,
      float boost)
      implements Query {}

  record Bool(
      List<Query> must,
      List<Query> filter,
      List<Query> should,
      List<Query> mustNot,
      @Nullable String minimumShouldMatch,
      boolean adjustPureNegative,
      float boost)
      implements Query {
    public Bool {
      must = List.copyOf(must);
      filter = List.copyOf(filter);
      should = List.copyOf(should);
      mustNot = List.copyOf(mustNot);
    }
  }

  record Exists(String field, float boost) implements Query {}

  record Ids(List<String> ids, float boost) implements Query {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

  record ConstantScore(Query filter, float boost) implements Query {}

  /** A named query, reported in the {@code matched_queries} of hits. */
  record Named(String name, Query query) implements Query {
    @Override
    public float boost() {
      return query.boost();
    }
  }
}
