package io.varve.search.aggregation;

import io.varve.search.aggregation.rounding.CalendarUnit;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An aggregation that puts documents into buckets, each with sub-aggregations. */
public sealed interface BucketAggregation extends Aggregation {

  @Override
  default String type() {
    return switch (this) {
      case Terms _ -> "terms";
      case MultiTerms _ -> "multi_terms";
      case RareTerms _ -> "rare_terms";
      case SignificantTerms _ -> "significant_terms";
      case SignificantText _ -> "significant_text";
      case Sampler _ -> "sampler";
      case DiversifiedSampler _ -> "diversified_sampler";
      case Histogram _ -> "histogram";
      case DateHistogram _ -> "date_histogram";
      case AutoDateHistogram _ -> "auto_date_histogram";
      case VariableWidthHistogram _ -> "variable_width_histogram";
      case Range _ -> "range";
      case DateRange _ -> "date_range";
      case IpRange _ -> "ip_range";
      case GeoDistance _ -> "geo_distance";
      case Filter _ -> "filter";
      case Filters _ -> "filters";
      case AdjacencyMatrix _ -> "adjacency_matrix";
      case Missing _ -> "missing";
      case Global _ -> "global";
      case Nested _ -> "nested";
      case ReverseNested _ -> "reverse_nested";
      case Composite _ -> "composite";
      case GeoGrid grid -> grid.grid == Grid.GEOHASH ? "geohash_grid" : "geotile_grid";
    };
  }

  /** The queries that select documents. */
  default List<Query> queries() {
    return switch (this) {
      case Filter filter -> List.of(filter.filter);
      case Filters filters -> filters.filters.stream().map(NamedFilter::filter).toList();
      case AdjacencyMatrix matrix -> matrix.filters.stream().map(NamedFilter::filter).toList();
      case SignificantTerms terms ->
          terms.background == null ? List.of() : List.of(terms.background);
      case SignificantText text -> text.background == null ? List.of() : List.of(text.background);
      default -> List.of();
    };
  }

  /**
   * The selection of the buckets that are returned.
   *
   * @param shardSize buckets that a shard returns; more make the counts more accurate
   * @param minDocCount buckets with fewer documents are omitted
   * @param shardMinDocCount the same bound, applied on each shard
   */
  record Thresholds(int size, int shardSize, long minDocCount, long shardMinDocCount) {}

  /**
   * @param showError whether each bucket shows the upper bound of its count's error
   * @param globalOrdinals whether to build global ordinals once per reader and keep them, instead
   *     of collecting the terms of each segment separately
   */
  record Terms(
      FieldSource source,
      BucketOrder order,
      Thresholds thresholds,
      @Nullable IncludeExclude includeExclude,
      boolean showError,
      boolean globalOrdinals)
      implements BucketAggregation {}

  record MultiTerms(
      List<FieldSource> sources, BucketOrder order, Thresholds thresholds, boolean showError)
      implements BucketAggregation {
    public MultiTerms {
      sources = List.copyOf(sources);
    }
  }

  record RareTerms(
      FieldSource source,
      int maxDocCount,
      double precision,
      @Nullable IncludeExclude includeExclude)
      implements BucketAggregation {}

  record SignificantTerms(
      FieldSource source,
      Thresholds thresholds,
      Heuristic heuristic,
      @Nullable Query background,
      @Nullable IncludeExclude includeExclude)
      implements BucketAggregation {}

  /**
   * The texts of {@code significant_text}.
   *
   * @param sources source fields that contain the texts; empty for the field itself
   * @param withoutCopies ignore words within long runs of words seen before ({@code
   *     filter_duplicate_text})
   */
  record Texts(String field, List<String> sources, boolean withoutCopies) {
    public Texts {
      sources = List.copyOf(sources);
    }
  }

  record SignificantText(
      Texts texts,
      Thresholds thresholds,
      Heuristic heuristic,
      @Nullable Query background,
      @Nullable IncludeExclude includeExclude)
      implements BucketAggregation {}

  /** The best documents of each shard. */
  record Sampler(int shardSize) implements BucketAggregation {}

  /** The best documents of each shard, with at most {@code perValue} documents of each value. */
  record DiversifiedSampler(FieldSource source, int shardSize, int perValue)
      implements BucketAggregation {}

  /** Bounds of a histogram; null for an open end. */
  record Bounds(@Nullable Double min, @Nullable Double max) {}

  /**
   * The form in which the buckets of a histogram are returned.
   *
   * @param keyed as an object by name instead of a list
   */
  record Shown(BucketOrder order, long minDocCount, boolean keyed) {}

  record Histogram(
      FieldSource source,
      double interval,
      double offset,
      Shown shown,
      @Nullable Bounds extended,
      @Nullable Bounds hard)
      implements BucketAggregation {}

  /** Bounds of a date histogram as given in the request: dates, date math or milliseconds. */
  record DateBounds(@Nullable Object min, @Nullable Object max) {}

  record DateHistogram(
      FieldSource source,
      Interval interval,
      long offsetMillis,
      Shown shown,
      @Nullable DateBounds extended,
      @Nullable DateBounds hard)
      implements BucketAggregation {}

  record AutoDateHistogram(FieldSource source, int buckets, @Nullable CalendarUnit minimumInterval)
      implements BucketAggregation {}

  record VariableWidthHistogram(FieldSource source, int buckets, int shardSize, int initialBuffer)
      implements BucketAggregation {}

  /**
   * A range; {@code from} is inclusive, {@code to} is exclusive, and null is an open end. The ends
   * are numbers, or dates as given in the request.
   */
  record Span(@Nullable String key, @Nullable Object from, @Nullable Object to) {}

  record Range(FieldSource source, List<Span> spans, boolean keyed) implements BucketAggregation {
    public Range {
      spans = List.copyOf(spans);
    }
  }

  record DateRange(FieldSource source, List<Span> spans, boolean keyed)
      implements BucketAggregation {
    public DateRange {
      spans = List.copyOf(spans);
    }
  }

  record IpRange(FieldSource source, List<Span> spans, boolean keyed) implements BucketAggregation {
    public IpRange {
      spans = List.copyOf(spans);
    }
  }

  /**
   * @param metersPerUnit of the unit of the ranges
   * @param plane whether to compute distances on a plane, which is faster, instead of on the globe
   */
  record GeoDistance(
      FieldSource source,
      GeoPoint origin,
      double metersPerUnit,
      boolean plane,
      List<Span> spans,
      boolean keyed)
      implements BucketAggregation {
    public GeoDistance {
      spans = List.copyOf(spans);
    }
  }

  record Filter(Query filter) implements BucketAggregation {}

  /**
   * @param key null for an anonymous filter
   */
  record NamedFilter(@Nullable String key, Query filter) {}

  /**
   * @param other name of the bucket for documents that no filter matches, or null for none
   */
  record Filters(List<NamedFilter> filters, boolean keyed, @Nullable String other)
      implements BucketAggregation {
    public Filters {
      filters = List.copyOf(filters);
    }
  }

  /**
   * @param intersectionsOnly omit the buckets of a single filter
   */
  record AdjacencyMatrix(List<NamedFilter> filters, String separator, boolean intersectionsOnly)
      implements BucketAggregation {
    public AdjacencyMatrix {
      filters = List.copyOf(filters);
    }
  }

  /** Documents without a value. */
  record Missing(FieldSource source) implements BucketAggregation {}

  /** All documents, independent of the query. */
  record Global() implements BucketAggregation {}

  record Nested(String path) implements BucketAggregation {}

  /**
   * @param path the nested object to join back to, or null for the root document
   */
  record ReverseNested(@Nullable String path) implements BucketAggregation {}

  /**
   * @param after the key after which buckets begin, one value per source, or null
   */
  record Composite(List<CompositeSource> sources, int size, @Nullable List<@Nullable Object> after)
      implements BucketAggregation {
    public Composite {
      sources = List.copyOf(sources);
    }
  }

  /** The scheme by which the earth is divided into cells. */
  enum Grid {
    GEOHASH,
    GEOTILE
  }

  record GeoGrid(
      Grid grid,
      FieldSource source,
      int precision,
      int size,
      int shardSize,
      @Nullable GeoBox bounds)
      implements BucketAggregation {}
}
