package io.varve.search.aggregation;

import io.varve.search.aggregation.rounding.CalendarUnit;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.query.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of documents, each with aggregations of its own. */
public sealed interface BucketAggregation extends Aggregation {

  /**
   * How many buckets are shown.
   *
   * @param shardSize how many a shard gives; more make the counts more exact
   * @param minDocCount buckets with fewer documents are left out
   * @param shardMinDocCount and on each shard already
   */
  record Thresholds(int size, int shardSize, long minDocCount, long shardMinDocCount) {}

  /**
   * @param showError whether each bucket tells how many documents it may lack
   * @param byMap count by value instead of by the ordinals of the index
   */
  record Terms(
      FieldSource source,
      BucketOrder order,
      Thresholds thresholds,
      @Nullable IncludeExclude includeExclude,
      boolean showError,
      boolean byMap)
      implements BucketAggregation {
    @Override
    public String type() {
      return "terms";
    }
  }

  record MultiTerms(
      List<FieldSource> sources, BucketOrder order, Thresholds thresholds, boolean showError)
      implements BucketAggregation {
    public MultiTerms {
      sources = List.copyOf(sources);
    }

    @Override
    public String type() {
      return "multi_terms";
    }
  }

  record RareTerms(
      FieldSource source,
      int maxDocCount,
      double precision,
      @Nullable IncludeExclude includeExclude)
      implements BucketAggregation {
    @Override
    public String type() {
      return "rare_terms";
    }
  }

  /** How much more often a term is in the documents looked at than in all. */
  sealed interface Heuristic {
    record Jlh() implements Heuristic {}

    record MutualInformation(boolean includeNegatives, boolean backgroundIsSuperset)
        implements Heuristic {}

    record ChiSquare(boolean includeNegatives, boolean backgroundIsSuperset) implements Heuristic {}

    record Gnd(boolean backgroundIsSuperset) implements Heuristic {}

    record Percentage() implements Heuristic {}
  }

  record SignificantTerms(
      FieldSource source,
      Thresholds thresholds,
      Heuristic heuristic,
      @Nullable Query background,
      @Nullable IncludeExclude includeExclude)
      implements BucketAggregation {
    @Override
    public String type() {
      return "significant_terms";
    }
  }

  /** Ends of a histogram; null for open. */
  record Bounds(@Nullable Double min, @Nullable Double max) {}

  /**
   * How a histogram's buckets are shown.
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
      implements BucketAggregation {
    @Override
    public String type() {
      return "histogram";
    }
  }

  /** Ends of a date histogram as they were written: dates, date math or milliseconds. */
  record DateBounds(@Nullable Object min, @Nullable Object max) {}

  record DateHistogram(
      FieldSource source,
      Interval interval,
      long offsetMillis,
      Shown shown,
      @Nullable DateBounds extended,
      @Nullable DateBounds hard)
      implements BucketAggregation {
    @Override
    public String type() {
      return "date_histogram";
    }
  }

  record AutoDateHistogram(FieldSource source, int buckets, @Nullable CalendarUnit minimumInterval)
      implements BucketAggregation {
    @Override
    public String type() {
      return "auto_date_histogram";
    }
  }

  record VariableWidthHistogram(FieldSource source, int buckets, int shardSize, int initialBuffer)
      implements BucketAggregation {
    @Override
    public String type() {
      return "variable_width_histogram";
    }
  }

  /** From, inclusive, to, exclusive; null for open. Numbers, or dates as they were written. */
  record Span(@Nullable String key, @Nullable Object from, @Nullable Object to) {}

  record Range(FieldSource source, List<Span> spans, boolean keyed) implements BucketAggregation {
    public Range {
      spans = List.copyOf(spans);
    }

    @Override
    public String type() {
      return "range";
    }
  }

  record DateRange(FieldSource source, List<Span> spans, boolean keyed)
      implements BucketAggregation {
    public DateRange {
      spans = List.copyOf(spans);
    }

    @Override
    public String type() {
      return "date_range";
    }
  }

  record IpRange(FieldSource source, List<Span> spans, boolean keyed) implements BucketAggregation {
    public IpRange {
      spans = List.copyOf(spans);
    }

    @Override
    public String type() {
      return "ip_range";
    }
  }

  /**
   * @param metersPerUnit of the unit that the spans are in
   * @param plane a fast distance on a plane instead of on the globe
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

    @Override
    public String type() {
      return "geo_distance";
    }
  }

  record Filter(Query filter) implements BucketAggregation {
    @Override
    public String type() {
      return "filter";
    }
  }

  /** A filter and its name; anonymous ones have none. */
  record NamedFilter(@Nullable String key, Query filter) {}

  /**
   * @param other the name of the bucket for what no filter wants, or null for no such bucket
   */
  record Filters(List<NamedFilter> filters, boolean keyed, @Nullable String other)
      implements BucketAggregation {
    public Filters {
      filters = List.copyOf(filters);
    }

    @Override
    public String type() {
      return "filters";
    }
  }

  /**
   * @param intersectionsOnly leave out the groups of one filter alone
   */
  record AdjacencyMatrix(List<NamedFilter> filters, String separator, boolean intersectionsOnly)
      implements BucketAggregation {
    public AdjacencyMatrix {
      filters = List.copyOf(filters);
    }

    @Override
    public String type() {
      return "adjacency_matrix";
    }
  }

  /** Documents without a value. */
  record Missing(FieldSource source) implements BucketAggregation {
    @Override
    public String type() {
      return "missing";
    }
  }

  /** All documents, whatever the query. */
  record Global() implements BucketAggregation {
    @Override
    public String type() {
      return "global";
    }
  }

  record Nested(String path) implements BucketAggregation {
    @Override
    public String type() {
      return "nested";
    }
  }

  /**
   * @param path the nested object to go back to, or null for the document itself
   */
  record ReverseNested(@Nullable String path) implements BucketAggregation {
    @Override
    public String type() {
      return "reverse_nested";
    }
  }

  /** One part of a composite key. */
  sealed interface CompositeSource {
    String name();

    CompositeOptions options();

    record OfTerms(String name, FieldSource source, CompositeOptions options)
        implements CompositeSource {}

    record OfHistogram(String name, FieldSource source, double interval, CompositeOptions options)
        implements CompositeSource {}

    record OfDates(
        String name,
        FieldSource source,
        Interval interval,
        long offsetMillis,
        CompositeOptions options)
        implements CompositeSource {}

    record OfGeotile(
        String name,
        FieldSource source,
        int precision,
        @Nullable GeoBox bounds,
        CompositeOptions options)
        implements CompositeSource {}
  }

  /** Where documents without a value stand in a composite's order. */
  enum MissingOrder {
    FIRST,
    LAST,
    DEFAULT
  }

  /**
   * @param missingBucket documents without a value count as null instead of not at all
   */
  record CompositeOptions(boolean descending, boolean missingBucket, MissingOrder missingOrder) {}

  /**
   * @param after the key after which buckets begin, by source, or null
   */
  record Composite(List<CompositeSource> sources, int size, @Nullable List<@Nullable Object> after)
      implements BucketAggregation {
    public Composite {
      sources = List.copyOf(sources);
    }

    @Override
    public String type() {
      return "composite";
    }
  }

  /** A part of the earth; left may be greater than right: across the date line. */
  record GeoBox(double top, double bottom, double left, double right) {
    public boolean contains(double lat, double lon) {
      return lat >= bottom
          && lat <= top
          && (left <= right ? lon >= left && lon <= right : lon >= left || lon <= right);
    }
  }

  /** How the earth is cut up. */
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
      implements BucketAggregation {
    @Override
    public String type() {
      return grid == Grid.GEOHASH ? "geohash_grid" : "geotile_grid";
    }
  }
}
