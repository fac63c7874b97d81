package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.PipelineAggregation;
import io.varve.search.aggregation.PipelineAggregation.GapPolicy;
import io.varve.search.aggregation.PipelineAggregation.SiblingMetric;
import io.varve.search.aggregation.PipelineAggregation.SortBy;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.rounding.CalendarUnit;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses pipeline aggregations. */
final class PipelineParsers {

  private static final List<Double> PERCENTS = List.of(1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0);

  private PipelineParsers() {}

  static PipelineAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "bucket_script", "bucket_selector", "moving_fn" ->
          throw AggregationFields.illegal(
              "[" + type + "] needs scripts, and scripts are not supported");
      case "derivative" -> derivative(fields);
      case "cumulative_sum" -> new PipelineAggregation.CumulativeSum(path(fields), format(fields));
      case "serial_diff" -> serialDiff(fields);
      case "bucket_sort" -> bucketSort(fields);
      default -> sibling(type, fields);
    };
  }

  private static PipelineAggregation sibling(String type, AggregationFields fields) {
    double sigma = fields.takeDouble("sigma", 2);
    if (sigma < 0) {
      throw AggregationFields.illegal("[sigma] must be a non-negative double");
    }
    boolean given = fields.has("percents");
    List<Double> percents = fields.takeDoubles("percents");
    for (double percent : percents) {
      if (!(percent >= 0 && percent <= 100)) {
        throw AggregationFields.illegal(
            "percents must only contain non-null doubles from 0.0-100.0 inclusive");
      }
    }
    return new PipelineAggregation.Sibling(
        SiblingMetric.valueOf(type.toUpperCase(Locale.ROOT)),
        path(fields),
        format(fields),
        gaps(fields),
        sigma,
        given ? percents : PERCENTS,
        fields.takeBoolean("keyed", true));
  }

  private static PipelineAggregation derivative(AggregationFields fields) {
    String unit = fields.takeString("unit");
    return new PipelineAggregation.Derivative(
        path(fields), format(fields), gaps(fields), unit == null ? null : (Long) unitMillis(unit));
  }

  private static long unitMillis(String text) {
    CalendarUnit unit = CalendarUnit.named(text);
    return unit == null ? HistogramParsers.millis(text, "unit") : unit.typicalMillis();
  }

  private static PipelineAggregation serialDiff(AggregationFields fields) {
    int lag = fields.takeInt("lag", 1);
    if (lag <= 0) {
      throw AggregationFields.illegal("Lag must be a positive, non-zero integer");
    }
    return new PipelineAggregation.SerialDiff(path(fields), format(fields), gaps(fields), lag);
  }

  private static PipelineAggregation bucketSort(AggregationFields fields) {
    int from = fields.takeInt("from", 0);
    boolean sized = fields.has("size");
    int size = fields.takeInt("size", 0);
    if (from < 0) {
      throw AggregationFields.illegal("[from] must be a non-negative integer: [" + from + "]");
    }
    if (sized && size <= 0) {
      throw AggregationFields.illegal("[size] must be a positive integer: [" + size + "]");
    }
    List<SortBy> sort = new ArrayList<>();
    JsonValue keys = fields.take("sort");
    switch (keys) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> sort.add(sortBy(fields, item)));
      default -> sort.add(sortBy(fields, keys));
    }
    return new PipelineAggregation.BucketSort(
        sort, from, sized ? (Integer) size : null, gaps(fields));
  }

  private static SortBy sortBy(AggregationFields fields, JsonValue value) {
    return switch (value) {
      case Scalar scalar -> new SortBy(String.valueOf(scalar.value()), false);
      case Obj object when object.fields().size() == 1 -> {
        Map.Entry<String, JsonValue> only = object.fields().entrySet().iterator().next();
        JsonValue order =
            only.getValue() instanceof Obj inner ? inner.fields().get("order") : only.getValue();
        yield new SortBy(only.getKey(), order != null && Orders.descending(order));
      }
      default -> throw fields.unsupported("sort", value);
    };
  }

  private static String path(AggregationFields fields) {
    JsonValue value = fields.take("buckets_path");
    Scalar only =
        value instanceof Arr array
                && array.items().size() == 1
                && array.items().getFirst() instanceof Scalar scalar
            ? scalar
            : value instanceof Scalar scalar ? scalar : null;
    if (only == null || only.value() == null) {
      throw AggregationFields.illegal(
          "Required one of fields [buckets_path] for the [" + fields.name() + "] aggregation");
    }
    return only.value().toString();
  }

  private static @Nullable String format(AggregationFields fields) {
    String pattern = fields.takeString("format");
    if (pattern != null) {
      try {
        new ValueFormat.Decimals(pattern).isShown();
      } catch (IllegalArgumentException e) {
        throw AggregationFields.illegal("Malformed number format [" + pattern + "]");
      }
    }
    return pattern;
  }

  private static GapPolicy gaps(AggregationFields fields) {
    String policy = fields.takeString("gap_policy");
    return switch (policy) {
      case null -> GapPolicy.SKIP;
      case "skip" -> GapPolicy.SKIP;
      case "insert_zeros" -> GapPolicy.INSERT_ZEROS;
      default -> throw AggregationFields.illegal("No gap_policy found for value [" + policy + "]");
    };
  }
}
