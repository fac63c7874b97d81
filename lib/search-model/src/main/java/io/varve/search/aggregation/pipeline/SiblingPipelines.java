package io.varve.search.aggregation.pipeline;

import io.varve.search.aggregation.PipelineAggregation.Sibling;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.NumbersPartial;
import io.varve.search.aggregation.partial.Sum;
import io.varve.search.aggregation.result.MetricResults;
import io.varve.search.aggregation.result.Result;
import io.varve.search.aggregation.result.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes sibling pipelines: metrics over the buckets of a sibling aggregation. */
final class SiblingPipelines {

  /** A value and the key of its bucket. */
  private record Value(String key, double number) {}

  private SiblingPipelines() {}

  static Result of(Sibling request, String name, Results beside) {
    String first = PathStart.of(request.path(), n -> beside.get(n) != null);
    boolean whole = first.length() == request.path().length();
    String path = whole ? "_count" : request.path().substring(first.length() + 1);
    List<Value> values = new ArrayList<>();
    switch (beside.get(first)) {
      case Result.Buckets buckets ->
          buckets
              .buckets()
              .forEach(bucket -> {
                double value = BucketPath.value(bucket, path, request.gaps());
                if (Double.isFinite(value)) {
                  values.add(new Value(bucket.name(), value));
                }
              });
      case null, default ->
          throw BucketPath.execution(
              "No aggregation with buckets found for path ["
                  + request.path()
                  + "] of ["
                  + name
                  + "]");
    }
    return finished(request, values);
  }

  private static Result finished(Sibling request, List<Value> values) {
    ValueFormat format = format(request.format());
    NumbersPartial numbers = numbers(values, format);
    return switch (request.metric()) {
      case AVG_BUCKET -> MetricResults.one("simple_value", orNull(values, numbers.avg()), format);
      case SUM_BUCKET -> MetricResults.one("simple_value", numbers.sum().value(), format);
      case MIN_BUCKET -> end(values, numbers.min(), format);
      case MAX_BUCKET -> end(values, numbers.max(), format);
      case STATS_BUCKET -> MetricResults.stats("stats_bucket", numbers);
      case EXTENDED_STATS_BUCKET ->
          MetricResults.extendedStats("extended_stats_bucket", numbers, request.sigma());
      case PERCENTILES_BUCKET -> percentiles(request, values, format);
    };
  }

  private static @Nullable Double orNull(List<Value> values, double value) {
    return values.isEmpty() ? null : (Double) value;
  }

  static ValueFormat format(@Nullable String pattern) {
    return pattern == null ? Formats.RAW : new ValueFormat.Decimals(pattern);
  }

  private static NumbersPartial numbers(List<Value> values, ValueFormat format) {
    NumbersPartial all =
        new NumbersPartial(
            format,
            values.size(),
            Sum.ZERO,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Sum.ZERO);
    for (Value value : values) {
      double number = value.number;
      all =
          new NumbersPartial(
              format,
              all.count(),
              all.sum().plus(number),
              Math.min(all.min(), number),
              Math.max(all.max(), number),
              all.squares().plus(number * number));
    }
    return all;
  }

  private static Result end(List<Value> values, double end, ValueFormat format) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("value", orNull(values, end));
    if (!values.isEmpty() && format.isShown()) {
      fields.put("value_as_string", format.text(end));
    }
    fields.put(
        "keys", values.stream().filter(value -> value.number == end).map(Value::key).toList());
    return new Result.Metrics(
        "bucket_metric_value", fields, values.isEmpty() ? Map.of() : Map.of("value", end));
  }

  private static Result percentiles(Sibling request, List<Value> values, ValueFormat format) {
    double[] sorted = values.stream().mapToDouble(Value::number).sorted().toArray();
    Map<Double, @Nullable Double> all = new LinkedHashMap<>();
    for (double percent : request.percents()) {
      // The closest existing value; OpenSearch does not interpolate here.
      int index = (int) Math.round(percent / 100.0 * (sorted.length - 1));
      all.put(percent, sorted.length == 0 ? null : (Double) sorted[Math.max(0, index)]);
    }
    return MetricResults.percentiles("percentiles_bucket", all, request.keyed(), format);
  }
}
