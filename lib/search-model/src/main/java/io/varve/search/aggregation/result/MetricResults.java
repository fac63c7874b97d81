package io.varve.search.aggregation.result;

import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.NumbersPartial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Final results of metrics that are computed from counts and sums. */
public final class MetricResults {

  private MetricResults() {}

  static Result simple(MetricAggregation.Simple request, NumbersPartial numbers) {
    boolean none = numbers.count() == 0;
    return switch (request.metric()) {
      case STATS -> stats("stats", numbers);
      case VALUE_COUNT -> whole("value_count", numbers.count());
      case AVG -> one("avg", none ? null : numbers.avg(), numbers.format());
      case SUM -> one("sum", numbers.sum().value(), numbers.format());
      case MIN -> one("min", none ? null : numbers.min(), numbers.format());
      case MAX -> one("max", none ? null : numbers.max(), numbers.format());
    };
  }

  static Result.Metrics whole(String type, long value) {
    return new Result.Metrics(type, Map.of("value", value), Map.of("value", (double) value));
  }

  /** A result with one value; null for none. */
  public static Result.Metrics one(String type, @Nullable Double value, ValueFormat format) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("value", value);
    if (value != null && format.isShown()) {
      fields.put("value_as_string", format.text(value.doubleValue()));
    }
    return new Result.Metrics(type, fields, value == null ? Map.of() : Map.of("value", value));
  }

  public static Result.Metrics stats(String type, NumbersPartial numbers) {
    Map<String, @Nullable Object> fields = statsFields(numbers);
    if (numbers.count() > 0) {
      texts(fields, numbers.format(), "min", "max", "avg", "sum");
    }
    return new Result.Metrics(type, fields, values(fields));
  }

  private static Map<String, @Nullable Object> statsFields(NumbersPartial numbers) {
    boolean none = numbers.count() == 0;
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("count", numbers.count());
    fields.put("min", none ? null : (Object) numbers.min());
    fields.put("max", none ? null : (Object) numbers.max());
    fields.put("avg", none ? null : (Object) numbers.avg());
    fields.put("sum", numbers.sum().value());
    return fields;
  }

  private static void texts(
      Map<String, @Nullable Object> fields, ValueFormat format, String... names) {
    if (!format.isShown()) {
      return;
    }
    for (String name : names) {
      if (fields.get(name) instanceof Double value) {
        fields.put(name + "_as_string", format.text(value.doubleValue()));
      }
    }
  }

  private static Map<String, Double> values(Map<String, @Nullable Object> fields) {
    Map<String, Double> values = new LinkedHashMap<>();
    fields.forEach((name, value) -> {
      if (value instanceof Number number) {
        values.put(name, number.doubleValue());
      }
    });
    return values;
  }

  public static Result.Metrics extendedStats(String type, NumbersPartial numbers, double sigma) {
    Map<String, @Nullable Object> fields = statsFields(numbers);
    boolean none = numbers.count() == 0;
    Map<String, Double> further = extended(numbers, sigma);
    further.forEach((name, value) -> fields.put(name, none ? null : value));
    Map<String, @Nullable Object> bounds = new LinkedHashMap<>();
    fields
        .keySet()
        .removeIf(name -> {
          boolean bound = name.startsWith("std_") && BOUNDS.containsKey(name);
          if (bound) {
            bounds.put(BOUNDS.get(name), fields.get(name));
          }
          return bound;
        });
    fields.put("std_deviation_bounds", bounds);
    if (!none && numbers.format().isShown()) {
      texts(fields, numbers.format(), "min", "max", "avg", "sum");
      texts(fields, numbers.format(), SPREAD);
      Map<String, @Nullable Object> texts = new LinkedHashMap<>();
      bounds.forEach((name, value) ->
          texts.put(name, value instanceof Double d ? numbers.format().text(d) : null));
      fields.put("std_deviation_bounds_as_string", texts);
    }
    Map<String, Double> values = new LinkedHashMap<>(values(fields));
    if (!none) {
      values.putAll(further);
    }
    return new Result.Metrics(type, fields, values);
  }

  private static final String[] SPREAD = {
    "sum_of_squares",
    "variance",
    "variance_population",
    "variance_sampling",
    "std_deviation",
    "std_deviation_population",
    "std_deviation_sampling"
  };

  private static final Map<String, String> BOUNDS =
      Map.of(
          "std_upper", "upper",
          "std_lower", "lower",
          "std_upper_population", "upper_population",
          "std_lower_population", "lower_population",
          "std_upper_sampling", "upper_sampling",
          "std_lower_sampling", "lower_sampling");

  /** The values that extended stats add to stats, by their names in paths. */
  static Map<String, Double> extended(NumbersPartial numbers, double sigma) {
    double sum = numbers.sum().value();
    double squares = numbers.squares().value();
    long count = numbers.count();
    double spread = Math.max(0, squares - sum * sum / count);
    double population = spread / count;
    double sampling = spread / (count - 1);
    Map<String, Double> all = new LinkedHashMap<>();
    all.put("sum_of_squares", squares);
    all.put("variance", population);
    all.put("variance_population", population);
    all.put("variance_sampling", sampling);
    all.put("std_deviation", Math.sqrt(population));
    all.put("std_deviation_population", Math.sqrt(population));
    all.put("std_deviation_sampling", Math.sqrt(sampling));
    double wide = sigma * Math.sqrt(population);
    double wider = sigma * Math.sqrt(sampling);
    all.put("std_upper", numbers.avg() + wide);
    all.put("std_lower", numbers.avg() - wide);
    all.put("std_upper_population", numbers.avg() + wide);
    all.put("std_lower_population", numbers.avg() - wide);
    all.put("std_upper_sampling", numbers.avg() + wider);
    all.put("std_lower_sampling", numbers.avg() - wider);
    return all;
  }

  /** Values by percent, or percents by value. */
  public static Result.Metrics percentiles(
      String type, Map<Double, @Nullable Double> all, boolean keyed, ValueFormat format) {
    Map<String, Double> values = new LinkedHashMap<>();
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    List<Object> list = new ArrayList<>();
    all.forEach((key, value) -> {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("key", key);
      entry.put("value", value);
      object.put(String.valueOf(key), value);
      if (value != null) {
        values.put(String.valueOf(key), value);
        if (format.isShown()) {
          entry.put("value_as_string", format.text(value.doubleValue()));
          object.put(key + "_as_string", format.text(value.doubleValue()));
        }
      }
      list.add(entry);
    });
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("values", keyed ? object : list);
    return new Result.Metrics(type, fields, values);
  }
}
