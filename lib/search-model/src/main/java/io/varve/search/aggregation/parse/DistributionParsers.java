package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.List;

/** Parses metrics of distributions, weighted averages and geo metrics. */
final class DistributionParsers {

  private static final List<Double> PERCENTS = List.of(1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0);

  private DistributionParsers() {}

  static MetricAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "percentiles" -> percentiles(fields);
      case "percentile_ranks" -> ranks(fields);
      case "median_absolute_deviation" -> medianDeviation(fields);
      case "weighted_avg" -> weighted(fields);
      case "geo_bounds" -> {
        boolean wrap = fields.takeBoolean("wrap_longitude", true);
        yield new MetricAggregation.GeoBounds(Sources.of(fields), wrap);
      }
      default -> new MetricAggregation.GeoCentroid(Sources.of(fields));
    };
  }

  private static MetricAggregation percentiles(AggregationFields fields) {
    boolean given = fields.has("percents");
    List<Double> percents = fields.takeDoubles("percents");
    if (given && percents.isEmpty()) {
      throw AggregationFields.illegal("[percents] must not be empty");
    }
    for (double percent : percents) {
      if (!(percent >= 0 && percent <= 100)) {
        throw AggregationFields.illegal(
            "percent must be in [0,100], got [" + percent + "]: [" + fields.name() + "]");
      }
    }
    boolean keyed = fields.takeBoolean("keyed", true);
    Digest digest = digest(fields);
    return new MetricAggregation.Percentiles(
        Sources.of(fields), given ? percents.stream().sorted().toList() : PERCENTS, keyed, digest);
  }

  private static MetricAggregation ranks(AggregationFields fields) {
    List<Double> values = fields.takeDoubles("values");
    if (values.isEmpty()) {
      throw AggregationFields.illegal(
          "[values] must not be an empty array: [" + fields.name() + "]");
    }
    boolean keyed = fields.takeBoolean("keyed", true);
    Digest digest = digest(fields);
    return new MetricAggregation.PercentileRanks(
        Sources.of(fields), values.stream().sorted().toList(), keyed, digest);
  }

  private static Digest digest(AggregationFields fields) {
    boolean columns = fields.has("hdr");
    Obj hdr = fields.takeObject("hdr");
    Obj tdigest = fields.takeObject("tdigest");
    if (hdr != null && tdigest != null) {
      throw AggregationFields.illegal(
          "Only one percentiles method should be specified: [hdr] or [tdigest]");
    }
    if (columns && hdr != null) {
      return hdr(fields.within("hdr", hdr));
    }
    double compression = 100;
    if (tdigest != null) {
      AggregationFields options = fields.within("tdigest", tdigest);
      compression = options.takeDouble("compression", 100);
      options.end("compression");
    }
    if (compression < 0) {
      throw AggregationFields.illegal(
          "[compression] must be greater than or equal to 0. Found [" + compression + "]");
    }
    return new Digest.TDigest(Math.min(compression, 10_000));
  }

  private static Digest hdr(AggregationFields options) {
    String name = "number_of_significant_value_digits";
    if (options.has(name)
        && options.object().fields().get(name) instanceof Scalar scalar
        && scalar.value() == null) {
      throw options.unsupported(name, scalar);
    }
    int digits = options.takeInt(name, 3);
    options.end(name);
    if (digits < 0 || digits > 5) {
      throw AggregationFields.illegal("[numberOfSignificantValueDigits] must be between 0 and 5");
    }
    return new Digest.Hdr(digits);
  }

  private static MetricAggregation medianDeviation(AggregationFields fields) {
    double compression = fields.takeDouble("compression", 1000);
    if (!(compression > 0)) {
      throw AggregationFields.illegal(
          "[compression] must be greater than 0. Found ["
              + compression
              + "] in ["
              + fields.name()
              + "]");
    }
    return new MetricAggregation.MedianAbsoluteDeviation(
        Sources.of(fields), Math.min(compression, 10_000));
  }

  private static MetricAggregation weighted(AggregationFields fields) {
    FieldSource value = source(fields, "value");
    FieldSource weight = source(fields, "weight");
    String valueType = fields.takeString("value_type");
    String format = fields.takeString("format");
    return new MetricAggregation.WeightedAvg(
        new FieldSource(value.field(), value.missing(), format, valueType, null), weight, format);
  }

  private static FieldSource source(AggregationFields fields, String name) {
    Obj object = fields.takeObject(name);
    if (object == null) {
      throw AggregationFields.illegal("Required [" + name + "]");
    }
    AggregationFields source = fields.within("weighted_avg", object);
    FieldSource read = Sources.of(source);
    source.end("field", "missing");
    return read;
  }
}
