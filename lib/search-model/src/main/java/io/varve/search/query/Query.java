package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query. It knows no mapping: what a value means is found where the query is executed.
 *
 * <p>The common ones are here; each family of others is an interface of its own.
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

  /** What its scores are multiplied by. */
  float boost();

  record MatchAll(float boost) implements Query {}

  record MatchNone() implements Query {
    @Override
    public float boost() {
      return NO_BOOST;
    }
  }

  /** How the words of a text are put together. */
  enum Operator {
    OR,
    AND
  }

  /**
   * Words that are allowed to differ a little.
   *
   * @param fuzziness {@code AUTO}, {@code AUTO:3,6}, {@code 0}, {@code 1}, {@code 2}, or null for
   *     none
   * @param rewrite how the terms found are put together, or null
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
   * How a text is looked for.
   *
   * @param minimumShouldMatch in the dialect's form ({@code 2}, {@code 75%}, {@code 2<75%}), or
   *     null
   * @param analysis how it is taken apart
   * @param lenient a value that the field can't hold matches nothing instead of being refused
   * @param zeroTermsAll a text without words matches everything instead of nothing
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
   * How a text is taken apart into words.
   *
   * @param analyzer in place of the field's, or null
   * @param synonymPhrases a synonym of several words stands for them side by side, in their order
   * @param positionIncrements what is left out of a text leaves a hole in its phrases
   */
  record Analysis(@Nullable String analyzer, boolean synonymPhrases, boolean positionIncrements) {

    public static final Analysis DEFAULT = by(null);

    /** By an analyzer's name. */
    public static Analysis by(@Nullable String analyzer) {
      return new Analysis(analyzer, true, true);
    }
  }

  record Match(String field, Object text, TextOptions options, float boost) implements Query {}

  record MatchPhrase(
      String field, Object text, int slop, Analysis analysis, boolean zeroTermsAll, float boost)
      implements Query {}

  /** How the scores of several fields become one. */
  enum FieldsType {
    /** The best field's, and a share of the others'. */
    BEST_FIELDS,
    /** All fields' together. */
    MOST_FIELDS,
    /** The fields as if they were one. */
    CROSS_FIELDS,
    PHRASE,
    PHRASE_PREFIX,
    BOOL_PREFIX
  }

  /** A field's name, or a pattern of names, and its boost. */
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

  /** How a field of ranges has to lie to the range that is asked for. */
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

  /** A query that hits show by name when they match it. */
  record Named(String name, Query query) implements Query {
    @Override
    public float boost() {
      return query.boost();
    }
  }
}
