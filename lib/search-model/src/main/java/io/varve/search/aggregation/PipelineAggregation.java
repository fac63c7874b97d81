package io.varve.search.aggregation;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A metric over the results of other aggregations. */
public sealed interface PipelineAggregation extends Aggregation {

  /** The treatment of a bucket without a value. */
  enum GapPolicy {
    SKIP,
    INSERT_ZEROS
  }

  /** Metrics over the buckets of a sibling aggregation. */
  enum SiblingMetric {
    AVG_BUCKET,
    SUM_BUCKET,
    MIN_BUCKET,
    MAX_BUCKET,
    STATS_BUCKET,
    EXTENDED_STATS_BUCKET,
    PERCENTILES_BUCKET
  }

  /**
   * @param path of the values, such as {@code histogram>sum}
   * @param sigma of extended stats
   * @param percents of percentiles
   * @param keyed whether percentiles are returned as an object
   */
  record Sibling(
      SiblingMetric metric,
      String path,
      @Nullable String format,
      GapPolicy gaps,
      double sigma,
      List<Double> percents,
      boolean keyed)
      implements PipelineAggregation {
    public Sibling {
      percents = List.copyOf(percents);
    }

    @Override
    public String type() {
      return metric.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param unitMillis the derivative is also returned per this unit of time; null to omit that
   */
  record Derivative(String path, @Nullable String format, GapPolicy gaps, @Nullable Long unitMillis)
      implements PipelineAggregation {
    @Override
    public String type() {
      return "derivative";
    }
  }

  record CumulativeSum(String path, @Nullable String format) implements PipelineAggregation {
    @Override
    public String type() {
      return "cumulative_sum";
    }
  }

  record SerialDiff(String path, @Nullable String format, GapPolicy gaps, int lag)
      implements PipelineAggregation {
    @Override
    public String type() {
      return "serial_diff";
    }
  }

  /** One sort key of {@code bucket_sort}. */
  record SortBy(String path, boolean descending) {}

  record BucketSort(List<SortBy> sort, int from, @Nullable Integer size, GapPolicy gaps)
      implements PipelineAggregation {
    public BucketSort {
      sort = List.copyOf(sort);
    }

    @Override
    public String type() {
      return "bucket_sort";
    }
  }
}
