package io.varve.search.aggregation.pipeline;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.PipelineAggregation;
import io.varve.search.aggregation.PipelineAggregation.BucketSort;
import io.varve.search.aggregation.PipelineAggregation.CumulativeSum;
import io.varve.search.aggregation.PipelineAggregation.Derivative;
import io.varve.search.aggregation.PipelineAggregation.GapPolicy;
import io.varve.search.aggregation.PipelineAggregation.SerialDiff;
import io.varve.search.aggregation.PipelineAggregation.SortBy;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.result.MetricResults;
import io.varve.search.aggregation.result.Result;
import io.varve.search.aggregation.result.Result.Bucket;
import io.varve.search.aggregation.result.Result.Buckets;
import io.varve.search.aggregation.result.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies parent pipelines: each computes a value for a bucket from this bucket and earlier ones,
 * or selects buckets.
 */
final class ParentPipelines {

  private ParentPipelines() {}

  static Buckets apply(PipelineAggregation request, AggregationNode node, Buckets buckets) {
    return switch (request) {
      case Derivative derivative -> derivative(derivative, node, buckets);
      case CumulativeSum sum -> cumulativeSum(sum, node, buckets);
      case SerialDiff diff -> serialDiff(diff, node, buckets);
      case BucketSort sort -> sorted(sort, buckets);
      case PipelineAggregation.Sibling sibling -> buckets;
    };
  }

  private static Buckets derivative(Derivative request, AggregationNode node, Buckets buckets) {
    ValueFormat format = SiblingPipelines.format(request.format());
    List<Bucket> all = new ArrayList<>();
    Bucket before = null;
    double last = Double.NaN;
    for (Bucket bucket : buckets.buckets()) {
      double value = BucketPath.value(bucket, request.path(), request.gaps());
      if (before == null || Double.isNaN(last) || Double.isNaN(value)) {
        all.add(bucket);
      } else {
        all.add(with(bucket, node, change(request, before, bucket, value - last, format)));
      }
      before = bucket;
      last = value;
    }
    return buckets.with(all);
  }

  private static Result change(
      Derivative request, Bucket before, Bucket bucket, double change, ValueFormat format) {
    Long unit = request.unitMillis();
    if (unit == null
        || !(bucket.key() instanceof Number to)
        || !(before.key() instanceof Number from)) {
      return MetricResults.one("derivative", change, format);
    }
    double normalized = change / ((to.doubleValue() - from.doubleValue()) / unit);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("value", change);
    if (format.isShown()) {
      fields.put("value_as_string", format.text(change));
    }
    fields.put("normalized_value", normalized);
    if (format.isShown()) {
      fields.put("normalized_value_as_string", format.text(normalized));
    }
    return new Result.Metrics(
        "derivative", fields, Map.of("value", change, "normalized_value", normalized));
  }

  private static Buckets cumulativeSum(
      CumulativeSum request, AggregationNode node, Buckets buckets) {
    ValueFormat format = SiblingPipelines.format(request.format());
    List<Bucket> all = new ArrayList<>();
    double sum = 0;
    for (Bucket bucket : buckets.buckets()) {
      double value = BucketPath.value(bucket, request.path(), GapPolicy.INSERT_ZEROS);
      sum += Double.isFinite(value) ? value : 0;
      all.add(with(bucket, node, MetricResults.one("simple_value", sum, format)));
    }
    return buckets.with(all);
  }

  private static Buckets serialDiff(SerialDiff request, AggregationNode node, Buckets buckets) {
    ValueFormat format = SiblingPipelines.format(request.format());
    List<Bucket> all = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (Bucket bucket : buckets.buckets()) {
      double value = BucketPath.value(bucket, request.path(), request.gaps());
      int earlier = values.size() - request.lag();
      double past = earlier < 0 ? Double.NaN : values.get(earlier);
      values.add(value);
      all.add(
          Double.isNaN(value) || Double.isNaN(past)
              ? bucket
              : with(bucket, node, MetricResults.one("simple_value", value - past, format)));
    }
    return buckets.with(all);
  }

  /** {@code bucket_sort}. Buckets that lack one of the values are omitted. */
  private static Buckets sorted(BucketSort request, Buckets buckets) {
    List<Bucket> kept = new ArrayList<>();
    for (Bucket bucket : buckets.buckets()) {
      boolean complete =
          request.sort().stream()
              .allMatch(key ->
                  key.path().equals("_key")
                      || Double.isFinite(BucketPath.value(bucket, key.path(), request.gaps())));
      if (complete) {
        kept.add(bucket);
      }
    }
    Comparator<Bucket> order = null;
    for (SortBy key : request.sort()) {
      Comparator<Bucket> next = (a, b) -> compare(a, b, key, request.gaps());
      Comparator<Bucket> directed = key.descending() ? next.reversed() : next;
      order = order == null ? directed : order.thenComparing(directed);
    }
    if (order != null) {
      kept.sort(order);
    }
    Integer size = request.size();
    long end = size == null ? kept.size() : (long) request.from() + size;
    return buckets.with(
        kept.subList(Math.min(request.from(), kept.size()), (int) Math.min(end, kept.size())));
  }

  private static int compare(Bucket a, Bucket b, SortBy key, GapPolicy gaps) {
    if (key.path().equals("_key") && !(a.key() instanceof Number)) {
      return a.name().compareTo(b.name());
    }
    return Double.compare(
        BucketPath.value(a, key.path(), gaps), BucketPath.value(b, key.path(), gaps));
  }

  private static Bucket with(Bucket bucket, AggregationNode node, Result result) {
    return bucket.with(
        bucket.aggregations().plus(new Results.Named(node.name(), result, node.meta())));
  }
}
