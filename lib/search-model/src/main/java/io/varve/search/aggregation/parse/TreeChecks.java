package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.PipelineAggregation;
import io.varve.search.aggregation.pipeline.PathStart;
import io.varve.search.aggregation.result.ResultKinds;

/** Refuses aggregations that are not allowed at their position in the tree. */
final class TreeChecks {

  private TreeChecks() {}

  static void check(AggregationTree tree) {
    for (AggregationNode node : tree.pipelines()) {
      if (!(node.aggregation() instanceof PipelineAggregation.Sibling)) {
        throw misplaced(
            node.aggregation().type()
                + " aggregation ["
                + node.name()
                + "] must be declared inside of another aggregation");
      }
    }
    siblings(tree);
    tree.collected().forEach(node -> below(node));
  }

  /** The path of a sibling pipeline must begin with a sibling aggregation. */
  private static void siblings(AggregationTree tree) {
    for (AggregationNode node : tree.pipelines()) {
      if (node.aggregation() instanceof PipelineAggregation.Sibling sibling) {
        String first = PathStart.of(sibling.path(), name -> tree.position(name) >= 0);
        AggregationNode beside = tree.collected(first).orElse(null);
        if (beside == null) {
          throw misplaced("No aggregation found for path [" + sibling.path() + "]");
        }
        if (!(beside.aggregation() instanceof BucketAggregation)
            || ResultKinds.isSingleBucket(beside.aggregation())) {
          throw misplaced(
              "The first aggregation in buckets_path must be a multi-bucket aggregation for"
                  + " aggregation ["
                  + node.name()
                  + "] found :"
                  + beside.aggregation().type()
                  + " for buckets path: "
                  + sibling.path());
        }
      }
    }
  }

  /** Pipelines that compare a bucket with earlier ones need a histogram as their parent. */
  private static void parents(AggregationNode parent) {
    for (AggregationNode node : parent.children().pipelines()) {
      boolean ordered =
          switch (parent.aggregation()) {
            case BucketAggregation.Histogram h -> true;
            case BucketAggregation.DateHistogram h -> true;
            case BucketAggregation.AutoDateHistogram h -> true;
            default -> false;
          };
      boolean needsOrder =
          switch (node.aggregation()) {
            case PipelineAggregation.Derivative d -> true;
            case PipelineAggregation.CumulativeSum c -> true;
            case PipelineAggregation.SerialDiff d -> true;
            default -> false;
          };
      if (needsOrder && !ordered) {
        throw misplaced(
            node.aggregation().type()
                + " aggregation ["
                + node.name()
                + "] must have a histogram, date_histogram or auto_date_histogram as parent");
      }
    }
  }

  private static ApiException misplaced(String reason) {
    return new ApiException(
        400, "action_request_validation_exception", "Validation Failed: 1: " + reason + ";");
  }

  private static void below(AggregationNode parent) {
    AggregationTree tree = parent.children();
    siblings(tree);
    parents(parent);
    for (AggregationNode node : tree.collected()) {
      if (node.aggregation() instanceof BucketAggregation.Composite
          && !(parent.aggregation() instanceof BucketAggregation.Nested)
          && !(parent.aggregation() instanceof BucketAggregation.ReverseNested)
          && !(parent.aggregation() instanceof BucketAggregation.Filter)) {
        throw new ApiException(
            400,
            "illegal_argument_exception",
            "[composite] aggregation cannot be used with a parent aggregation of type: ["
                + parent.aggregation().type()
                + "]");
      }
      if (node.aggregation() instanceof BucketAggregation.Global) {
        throw new ApiException(
            400,
            "aggregation_execution_exception",
            "Aggregation ["
                + node.name()
                + "] cannot have a global sub-aggregation [global]. Global aggregations can only"
                + " be defined as top level aggregations");
      }
      below(node);
    }
  }
}
