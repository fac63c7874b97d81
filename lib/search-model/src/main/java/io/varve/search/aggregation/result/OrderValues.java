package io.varve.search.aggregation.result;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.Aggregation;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.partial.DistinctPartial;
import io.varve.search.aggregation.partial.NumbersPartial;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.SinglePartial;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of partial results by path, to order buckets: {@code a>b.avg} is the average of the
 * stats {@code b} in the single bucket {@code a}.
 */
public final class OrderValues {

  /**
   * @param metric name of the value; empty for an aggregation with a single value
   */
  record Step(String name, String metric) {

    /**
     * Parses a step. An aggregation with the whole text as its name has precedence, since names may
     * contain dots.
     */
    static Step of(AggregationTree tree, String text) {
      if (tree.position(text) >= 0) {
        return new Step(text, "");
      }
      if (text.endsWith("]") && text.indexOf('[') > 0) {
        int open = text.indexOf('[');
        return new Step(text.substring(0, open), text.substring(open + 1, text.length() - 1));
      }
      int dot = text.indexOf('.');
      for (int at = dot; at >= 0; at = text.indexOf('.', at + 1)) {
        if (tree.position(text.substring(0, at)) >= 0) {
          return new Step(text.substring(0, at), text.substring(at + 1));
        }
      }
      return dot < 0 ? new Step(text, "") : new Step(text.substring(0, dot), "");
    }
  }

  private OrderValues() {}

  /** Reads the value of a path; NaN if there is none yet. */
  public static double value(AggregationTree tree, Partials partials, String path) {
    int inner = path.indexOf('>');
    Step step = Step.of(tree, inner < 0 ? path : path.substring(0, inner));
    int position = tree.position(step.name);
    if (position < 0) {
      return Double.NaN;
    }
    AggregationNode node = tree.collected().get(position);
    Partial partial = partials.list().get(position);
    if (inner >= 0) {
      return partial instanceof SinglePartial single
          ? value(node.children(), single.children(), path.substring(inner + 1))
          : Double.NaN;
    }
    return metric(node.aggregation(), partial, step.metric);
  }

  private static double metric(Aggregation aggregation, Partial partial, String metricName) {
    return switch (partial) {
      case SinglePartial single -> single.docCount();
      case DistinctPartial distinct -> distinct.sketch().count();
      case NumbersPartial numbers -> ofNumbers(aggregation, numbers, metricName);
      default -> {
        Result result = Finisher.metric(aggregation, partial);
        Double value =
            result instanceof Result.Metrics metrics
                ? metrics.values().get(metricName.isEmpty() ? "value" : metricName)
                : null;
        yield value == null ? Double.NaN : value;
      }
    };
  }

  private static double ofNumbers(
      Aggregation aggregation, NumbersPartial numbers, String metricName) {
    String name =
        aggregation instanceof MetricAggregation.Simple simple
                && simple.metric() != MetricAggregation.Metric.STATS
            ? simple.type()
            : metricName;
    return switch (name) {
      case "avg" -> numbers.avg();
      case "sum" -> numbers.sum().value();
      case "min" -> numbers.min();
      case "max" -> numbers.max();
      case "count", "value_count" -> numbers.count();
      default -> {
        Double value = MetricResults.extended(numbers, 2).get(name);
        yield value == null ? Double.NaN : value;
      }
    };
  }

  /** Refuses a path that does not lead to a value. */
  public static void check(AggregationTree tree, String path) {
    String refusal = refusal(tree, path);
    if (refusal != null) {
      throw new ApiException(
          400,
          "aggregation_execution_exception",
          "Invalid aggregation order path [" + path + "]. " + refusal);
    }
  }

  private static @Nullable String refusal(AggregationTree tree, String path) {
    int inner = path.indexOf('>');
    Step step = Step.of(tree, inner < 0 ? path : path.substring(0, inner));
    AggregationNode node = tree.collected(step.name).orElse(null);
    if (node == null) {
      return "The provided aggregation ["
          + step.name
          + "] either does not exist, or is a pipeline aggregation and cannot be used to sort the"
          + " buckets.";
    }
    boolean single = ResultKinds.isSingleBucket(node.aggregation());
    if (inner >= 0) {
      return single
          ? refusal(node.children(), path.substring(inner + 1))
          : "Buckets can only be sorted on a sub-aggregator path that is built out of zero or more"
              + " single-bucket aggregations within the path and a final single-bucket or a"
              + " metrics aggregation at the path end. Sub-path ["
              + step.name
              + "] points to non single-bucket aggregation";
    }
    if (single) {
      return null;
    }
    if (!(node.aggregation() instanceof MetricAggregation metric)
        || metric instanceof MetricAggregation.TopHits) {
      return "Buckets can only be sorted on a sub-aggregator path that is built out of zero or more"
          + " single-bucket aggregations within the path and a final single-bucket or a metrics"
          + " aggregation at the path end.";
    }
    boolean several = ResultKinds.hasSeveralValues(metric);
    if (several && step.metric.isEmpty()) {
      return "When ordering on a multi-value metrics aggregation a metric name must be specified.";
    }
    if (!several && !step.metric.isEmpty() && !step.metric.equals("value")) {
      return "Unknown metric name [" + step.metric + "] of [" + metric.type() + "]";
    }
    return null;
  }
}
