package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.MetricAggregation.Metric;
import io.varve.search.json.Fields;
import io.varve.search.query.HitsRequest;
import java.util.List;
import java.util.Locale;

/** Parses metrics. */
final class MetricParsers {

  private MetricParsers() {}

  static MetricAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "extended_stats" -> extendedStats(fields);
      case "cardinality" -> cardinality(fields);
      default ->
          new MetricAggregation.Simple(
              Metric.valueOf(type.toUpperCase(Locale.ROOT)), Sources.of(fields));
    };
  }

  /** Parses {@code top_hits}, whose body is that of a search without a query. */
  static MetricAggregation topHits(String type, AggregationFields fields) {
    List.copyOf(fields.object().fields().keySet()).forEach(fields::take);
    return new MetricAggregation.TopHits(HitsRequest.ofTopHits(new Fields(type, fields.object())));
  }

  private static MetricAggregation extendedStats(AggregationFields fields) {
    double sigma = fields.takeDouble("sigma", 2);
    if (sigma < 0) {
      throw AggregationFields.illegal(
          "[sigma] must be greater than or equal to 0. Found ["
              + sigma
              + "] in ["
              + fields.name()
              + "]");
    }
    return new MetricAggregation.ExtendedStats(Sources.of(fields), sigma);
  }

  private static MetricAggregation cardinality(AggregationFields fields) {
    boolean given = fields.has("precision_threshold");
    int threshold = (int) Math.min(Integer.MAX_VALUE, fields.takeLong("precision_threshold", 0));
    if (threshold < 0) {
      throw AggregationFields.illegal(
          "[precisionThreshold] must be greater than or equal to 0. Found ["
              + threshold
              + "] in ["
              + fields.name()
              + "]");
    }
    String hint = fields.takeString("execution_hint");
    if (hint != null && !hint.equals("direct") && !hint.equals("ordinals")) {
      throw AggregationFields.illegal("No enum constant for execution_hint [" + hint + "]");
    }
    FieldSource source = Sources.of(fields);
    return new MetricAggregation.Cardinality(source, given ? threshold : null);
  }
}
