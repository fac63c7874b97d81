package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.Aggregation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Which parser reads which types. */
enum Family {
  METRIC(
      MetricParsers::read,
      List.of("avg", "sum", "min", "max", "value_count", "stats", "extended_stats", "cardinality"),
      List.of("field", "missing", "format", "sigma", "precision_threshold")),
  TERMS(
      TermsParsers::read,
      List.of("terms", "multi_terms"),
      List.of(
          "field",
          "terms",
          "missing",
          "size",
          "shard_size",
          "min_doc_count",
          "shard_min_doc_count",
          "order",
          "include",
          "exclude",
          "format",
          "execution_hint",
          "collect_mode",
          "show_term_doc_count_error",
          "value_type")),
  HISTOGRAM(
      HistogramParsers::read,
      List.of("histogram", "date_histogram", "auto_date_histogram"),
      List.of(
          "field",
          "missing",
          "interval",
          "calendar_interval",
          "fixed_interval",
          "offset",
          "order",
          "keyed",
          "min_doc_count",
          "extended_bounds",
          "hard_bounds",
          "format",
          "buckets",
          "minimum_interval",
          "time_zone")),
  RANGE(
      RangeParsers::read,
      List.of("range", "date_range", "ip_range", "geo_distance"),
      List.of(
          "field",
          "missing",
          "ranges",
          "keyed",
          "format",
          "time_zone",
          "origin",
          "unit",
          "distance_type")),
  FILTER(
      FilterParsers::read,
      List.of("filter", "filters", "missing", "global"),
      List.of("filters", "other_bucket", "other_bucket_key", "keyed", "field", "missing"));

  @SuppressWarnings("ImmutableEnumChecker") // method references
  private final BiFunction<String, AggregationFields, Aggregation> reader;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> types;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> known;

  Family(
      BiFunction<String, AggregationFields, Aggregation> reader,
      List<String> types,
      List<String> known) {
    this.reader = reader;
    this.types = types;
    this.known = known;
  }

  Aggregation read(String type, AggregationFields fields) {
    return reader.apply(type, fields);
  }

  /** Fields that one of the family knows: what may have been meant. */
  String[] known() {
    return known.toArray(String[]::new);
  }

  static @Nullable Family of(String type) {
    for (Family family : values()) {
      if (family.types.contains(type)) {
        return family;
      }
    }
    return null;
  }

  static List<String> allTypes() {
    List<String> all = new ArrayList<>();
    for (Family family : values()) {
      all.addAll(family.types);
    }
    return all;
  }
}
