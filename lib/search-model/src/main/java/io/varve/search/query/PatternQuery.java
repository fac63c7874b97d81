package io.varve.search.query;

import org.jspecify.annotations.Nullable;

/** A query for all terms that match a pattern. */
public sealed interface PatternQuery extends Query {

  String field();

  /**
   * The rewrite method, which combines and scores the matching terms, or null for a constant score.
   */
  @Nullable String rewrite();

  record Prefix(
      String field, String value, boolean caseInsensitive, @Nullable String rewrite, float boost)
      implements PatternQuery {}

  record Wildcard(
      String field, String pattern, boolean caseInsensitive, @Nullable String rewrite, float boost)
      implements PatternQuery {}

  /**
   * @param flags Lucene's syntax flags
   * @param maxDeterminizedStates limit on the complexity of the pattern
   */
  record Regexp(
      String field,
      String pattern,
      int flags,
      boolean caseInsensitive,
      int maxDeterminizedStates,
      @Nullable String rewrite,
      float boost)
      implements PatternQuery {}

  record Fuzzy(String field, Object value, Query.Fuzzing fuzzing, float boost)
      implements PatternQuery {
    @Override
    public @Nullable String rewrite() {
      return fuzzing.rewrite();
    }
  }
}
