package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.BucketAggregation.VariableWidthHistogram;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.ClustersPartial;
import io.varve.search.aggregation.partial.ClustersPartial.Cluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The final reduce of {@code variable_width_histogram}. If the clusters of different shards
 * overlap, their bounds are set to the midpoint of the overlap.
 */
final class ClusterBuckets {

  private ClusterBuckets() {}

  static Result finish(
      Finisher finisher,
      AggregationNode node,
      VariableWidthHistogram request,
      ClustersPartial partial) {
    List<Cluster> clusters = partial.reducedTo(request.buckets()).clusters();
    finisher.limit().add(clusters.size());
    double[] from = clusters.stream().mapToDouble(Cluster::min).toArray();
    double[] to = clusters.stream().mapToDouble(Cluster::max).toArray();
    for (int i = 1; i < clusters.size(); i++) {
      if (from[i] < to[i - 1]) {
        from[i] = (from[i] + to[i - 1]) / 2;
        to[i - 1] = from[i];
      }
    }
    List<Result.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < clusters.size(); i++) {
      Cluster cluster = clusters.get(i);
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      number("min", from[i], partial.format(), fields);
      number("key", cluster.center(), partial.format(), fields);
      number("max", to[i], partial.format(), fields);
      fields.put("doc_count", cluster.docCount());
      buckets.add(
          new Result.Bucket(
              cluster.center(),
              partial.format().text(cluster.center()),
              fields,
              cluster.docCount(),
              finisher.finish(node.children(), cluster.children())));
    }
    return new Result.Buckets("variable_width_histogram", Map.of(), buckets, false);
  }

  private static void number(
      String name, double value, ValueFormat format, Map<String, @Nullable Object> into) {
    into.put(name, value);
    if (format.isShown()) {
      into.put(name + "_as_string", format.text(value));
    }
  }
}
