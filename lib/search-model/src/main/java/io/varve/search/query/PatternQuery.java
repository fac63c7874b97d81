package io.varve.search.query;

import org.jspecify.annotations.Nullable;

/** A query for all terms of a form. */
public sealed interface PatternQuery extends Query {

  String field();

  /** How the terms found are put together, or null for without scores. */
  @Nullable String rewrite();

  record Prefix(
      String field, String value, boolean caseInsensitive, @Nullable String rewrite, float boost)
      implements PatternQuery {}

  record Wildcard(
      String field, String pattern, boolean caseInsensitive, @Nullable String rewrite, float boost)
      implements PatternQuery {}

  /**
   * @param flags Lucene's syntax flags
   * @param maxDeterminizedStates work that a pattern may take before it counts as too complex
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
