package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.Aggregation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Maps the types of aggregations to their parsers. */
enum Family {
  METRIC(
      MetricParsers::read,
      List.of("avg", "sum", "min", "max", "value_count", "stats", "extended_stats", "cardinality"),
      List.of("field", "missing", "format", "sigma", "precision_threshold")),
  DISTRIBUTION(
      DistributionParsers::read,
      List.of(
          "percentiles",
          "percentile_ranks",
          "median_absolute_deviation",
          "weighted_avg",
          "geo_bounds",
          "geo_centroid"),
      List.of(
          "field",
          "missing",
          "format",
          "percents",
          "values",
          "keyed",
          "hdr",
          "tdigest",
          "compression",
          "value",
          "weight",
          "wrap_longitude")),
  COMPOSITE(CompositeParsers::read, List.of("composite"), List.of("sources", "size", "after")),
  GRID(
      GridParsers::read,
      List.of("geohash_grid", "geotile_grid", "adjacency_matrix"),
      List.of("field", "precision", "size", "shard_size", "bounds", "filters", "separator")),
  TERMS(
      TermsParsers::read,
      List.of("terms", "multi_terms", "rare_terms"),
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
          "value_type",
          "max_doc_count",
          "precision")),
  SIGNIFICANCE(
      SignificanceParsers::read,
      List.of("significant_terms", "significant_text"),
      List.of(
          "field",
          "size",
          "shard_size",
          "min_doc_count",
          "shard_min_doc_count",
          "include",
          "exclude",
          "format",
          "execution_hint",
          "background_filter",
          "source_fields",
          "filter_duplicate_text",
          "jlh",
          "mutual_information",
          "chi_square",
          "gnd",
          "percentage",
          "script_heuristic")),
  SAMPLE(
      SampleParsers::read,
      List.of("sampler", "diversified_sampler"),
      List.of("field", "shard_size", "max_docs_per_value", "execution_hint")),
  HITS(MetricParsers::topHits, List.of("top_hits"), List.of()),
  HISTOGRAM(
      HistogramParsers::read,
      List.of("histogram", "date_histogram", "auto_date_histogram", "variable_width_histogram"),
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
          "shard_size",
          "initial_buffer",
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
      List.of("filter", "filters", "missing", "global", "nested", "reverse_nested"),
      List.of("filters", "other_bucket", "other_bucket_key", "keyed", "field", "missing", "path")),
  PIPELINE(
      PipelineParsers::read,
      List.of(
          "avg_bucket",
          "sum_bucket",
          "min_bucket",
          "max_bucket",
          "stats_bucket",
          "extended_stats_bucket",
          "percentiles_bucket",
          "derivative",
          "cumulative_sum",
          "serial_diff",
          "bucket_sort",
          "bucket_script",
          "bucket_selector",
          "moving_fn"),
      List.of(
          "buckets_path",
          "format",
          "gap_policy",
          "sigma",
          "percents",
          "keyed",
          "unit",
          "lag",
          "sort",
          "from",
          "size"));

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

  /** Field names known to the family, for suggestions in error texts. */
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
