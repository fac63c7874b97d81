package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;

/** Refuses aggregations that are in the wrong place. */
final class TreeChecks {

  private TreeChecks() {}

  static void check(AggregationTree tree) {
    tree.collected().forEach(node -> below(node.children()));
  }

  private static void below(AggregationTree tree) {
    for (AggregationNode node : tree.collected()) {
      if (node.aggregation() instanceof BucketAggregation.Global) {
        throw new ApiException(
            400,
            "aggregation_execution_exception",
            "Aggregation ["
                + node.name()
                + "] cannot have a global sub-aggregation [global]. Global aggregations can only"
                + " be defined as top level aggregations");
      }
      below(node.children());
    }
  }
}
