package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Matches text intervals defined by rules. */
public record IntervalQuery(String field, Rule rule, float boost) implements Query {

  /** Determines whether the parts of an interval must be in order and may overlap. */
  public enum Mode {
    ORDERED,
    UNORDERED,
    UNORDERED_NO_OVERLAP
  }

  /** A rule that defines intervals. */
  public sealed interface Rule {

    /**
     * @param maxGaps positions between the words, -1 for no limit
     * @param useField the field to search instead, or null
     */
    record Match(
        String query,
        int maxGaps,
        Mode mode,
        @Nullable String analyzer,
        @Nullable Filter filter,
        @Nullable String useField)
        implements Rule {}

    record Prefix(String prefix, @Nullable String analyzer, @Nullable String useField)
        implements Rule {}

    record Wildcard(
        String pattern, @Nullable String analyzer, @Nullable String useField, int maxExpansions)
        implements Rule {}

    record Regexp(
        String pattern,
        int flags,
        boolean caseInsensitive,
        @Nullable String useField,
        int maxExpansions)
        implements Rule {}

    record Fuzzy(
        String term, Query.Fuzzing fuzzing, @Nullable String analyzer, @Nullable String useField)
        implements Rule {}

    record AllOf(List<Rule> rules, int maxGaps, Mode mode, @Nullable Filter filter)
        implements Rule {
      public AllOf {
        rules = List.copyOf(rules);
      }
    }

    record AnyOf(List<Rule> rules, @Nullable Filter filter) implements Rule {
      public AnyOf {
        rules = List.copyOf(rules);
      }
    }
  }

  /** A relation to the intervals of another rule: {@code containing}, {@code before} … */
  public record Filter(String relation, Rule rule) {}
}
