package io.varve.search.aggregation;

import org.jspecify.annotations.Nullable;

/** One component of a composite key. */
public sealed interface CompositeSource {
  String name();

  Options options();

  record OfTerms(String name, FieldSource source, Options options) implements CompositeSource {}

  record OfHistogram(String name, FieldSource source, double interval, Options options)
      implements CompositeSource {}

  record OfDates(
      String name, FieldSource source, Interval interval, long offsetMillis, Options options)
      implements CompositeSource {}

  record OfGeotile(
      String name, FieldSource source, int precision, @Nullable GeoBox bounds, Options options)
      implements CompositeSource {}

  /** The position of documents without a value in the order of a composite. */
  enum MissingOrder {
    FIRST,
    LAST,
    DEFAULT
  }

  /**
   * @param missingBucket whether documents without a value get the key null instead of being
   *     skipped
   */
  record Options(boolean descending, boolean missingBucket, MissingOrder missingOrder) {}
}
