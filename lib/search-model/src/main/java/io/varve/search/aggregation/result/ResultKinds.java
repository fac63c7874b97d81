package io.varve.search.aggregation.result;

import io.varve.search.aggregation.Aggregation;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.MetricAggregation.Metric;

/** Classifies aggregations by the kind of their results. */
public final class ResultKinds {

  private ResultKinds() {}

  public static boolean isSingleBucket(Aggregation aggregation) {
    return aggregation instanceof BucketAggregation bucket
        && switch (bucket) {
          case BucketAggregation.Filter f -> true;
          case BucketAggregation.Missing m -> true;
          case BucketAggregation.Global g -> true;
          case BucketAggregation.Sampler s -> true;
          case BucketAggregation.DiversifiedSampler s -> true;
          case BucketAggregation.Nested n -> true;
          case BucketAggregation.ReverseNested r -> true;
          default -> false;
        };
  }

  static boolean hasSeveralValues(MetricAggregation metric) {
    return switch (metric) {
      case MetricAggregation.Simple simple -> simple.metric() == Metric.STATS;
      case MetricAggregation.ExtendedStats stats -> true;
      case MetricAggregation.Percentiles percentiles -> true;
      case MetricAggregation.PercentileRanks ranks -> true;
      default -> false;
    };
  }
}
