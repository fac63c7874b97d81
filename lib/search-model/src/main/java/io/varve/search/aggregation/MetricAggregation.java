package io.varve.search.aggregation;

import io.varve.search.query.HitsRequest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A metric over the values of documents. */
public sealed interface MetricAggregation extends Aggregation {

  @Override
  default String type() {
    return switch (this) {
      case Simple simple -> simple.metric.json();
      case ExtendedStats _ -> "extended_stats";
      case Cardinality _ -> "cardinality";
      case Percentiles _ -> "percentiles";
      case PercentileRanks _ -> "percentile_ranks";
      case MedianAbsoluteDeviation _ -> "median_absolute_deviation";
      case WeightedAvg _ -> "weighted_avg";
      case GeoBounds _ -> "geo_bounds";
      case GeoCentroid _ -> "geo_centroid";
      case TopHits _ -> "top_hits";
    };
  }

  /** Metrics that are computed from count, sum, minimum and maximum. */
  enum Metric {
    AVG,
    SUM,
    MIN,
    MAX,
    VALUE_COUNT,
    STATS;

    String json() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  record Simple(Metric metric, FieldSource source) implements MetricAggregation {}

  /**
   * @param sigma the distance of the bounds from the average, in standard deviations
   */
  record ExtendedStats(FieldSource source, double sigma) implements MetricAggregation {}

  /**
   * @param precisionThreshold the number of distinct values up to which the count is nearly exact;
   *     null for the default
   */
  record Cardinality(FieldSource source, @Nullable Integer precisionThreshold)
      implements MetricAggregation {}

  /** The data structure that summarizes the distribution of values. */
  sealed interface Digest {
    record TDigest(double compression) implements Digest {}

    record Hdr(int significantDigits) implements Digest {}
  }

  record Percentiles(FieldSource source, List<Double> percents, boolean keyed, Digest digest)
      implements MetricAggregation {
    public Percentiles {
      percents = List.copyOf(percents);
    }
  }

  record PercentileRanks(FieldSource source, List<Double> values, boolean keyed, Digest digest)
      implements MetricAggregation {
    public PercentileRanks {
      values = List.copyOf(values);
    }
  }

  record MedianAbsoluteDeviation(FieldSource source, double compression)
      implements MetricAggregation {}

  record WeightedAvg(FieldSource value, FieldSource weight, @Nullable String format)
      implements MetricAggregation {}

  record GeoBounds(FieldSource source, boolean wrapLongitude) implements MetricAggregation {}

  record GeoCentroid(FieldSource source) implements MetricAggregation {}

  /** The best documents of a bucket. The request has no query of its own. */
  record TopHits(HitsRequest request) implements MetricAggregation {}
}
