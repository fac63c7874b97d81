package io.varve.search.aggregation;

import io.varve.search.SearchRequest;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures over the values of documents. */
public sealed interface MetricAggregation extends Aggregation {

  /** Figures that follow from count, sum, least and greatest value. */
  enum Figure {
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

  record Simple(Figure figure, FieldSource source) implements MetricAggregation {
    @Override
    public String type() {
      return figure.json();
    }
  }

  /**
   * @param sigma how many standard deviations the bounds are from the average
   */
  record ExtendedStats(FieldSource source, double sigma) implements MetricAggregation {
    @Override
    public String type() {
      return "extended_stats";
    }
  }

  /**
   * @param precisionThreshold up to so many distinct values the count is nearly exact; null for the
   *     default
   */
  record Cardinality(FieldSource source, @Nullable Integer precisionThreshold)
      implements MetricAggregation {
    @Override
    public String type() {
      return "cardinality";
    }
  }

  /** How values are summed up so that their distribution can be asked for. */
  sealed interface Digest {
    record TDigest(double compression) implements Digest {}

    record Hdr(int significantDigits) implements Digest {}
  }

  record Percentiles(FieldSource source, List<Double> percents, boolean keyed, Digest digest)
      implements MetricAggregation {
    public Percentiles {
      percents = List.copyOf(percents);
    }

    @Override
    public String type() {
      return "percentiles";
    }
  }

  record PercentileRanks(FieldSource source, List<Double> values, boolean keyed, Digest digest)
      implements MetricAggregation {
    public PercentileRanks {
      values = List.copyOf(values);
    }

    @Override
    public String type() {
      return "percentile_ranks";
    }
  }

  record MedianAbsoluteDeviation(FieldSource source, double compression)
      implements MetricAggregation {
    @Override
    public String type() {
      return "median_absolute_deviation";
    }
  }

  record WeightedAvg(FieldSource value, FieldSource weight, @Nullable String format)
      implements MetricAggregation {
    @Override
    public String type() {
      return "weighted_avg";
    }
  }

  record GeoBounds(FieldSource source, boolean wrapLongitude) implements MetricAggregation {
    @Override
    public String type() {
      return "geo_bounds";
    }
  }

  record GeoCentroid(FieldSource source) implements MetricAggregation {
    @Override
    public String type() {
      return "geo_centroid";
    }
  }

  /** The best documents; its request is a search without a query of its own. */
  record TopHits(SearchRequest request) implements MetricAggregation {
    @Override
    public String type() {
      return "top_hits";
    }
  }
}
