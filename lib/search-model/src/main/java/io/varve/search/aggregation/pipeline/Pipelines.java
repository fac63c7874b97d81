package io.varve.search.aggregation.pipeline;

import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.PipelineAggregation;
import io.varve.search.aggregation.result.Result;
import io.varve.search.aggregation.result.Results;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Applies pipelines to results, innermost first. Sibling pipelines add their own result. Parent
 * pipelines add a value to each bucket or select buckets.
 */
public final class Pipelines {

  private Pipelines() {}

  public static Results apply(AggregationTree tree, Results results) {
    if (tree.isEmpty()) {
      return results;
    }
    List<Results.Named> applied = new ArrayList<>(results.list().size());
    for (Results.Named named : results.list()) {
      AggregationNode node = tree.collected(named.name()).orElse(null);
      applied.add(
          node == null
              ? named
              : new Results.Named(named.name(), within(node, named.result()), named.meta()));
    }
    Results all = new Results(applied);
    for (AggregationNode node : inOrder(tree.pipelines())) {
      if (node.aggregation() instanceof PipelineAggregation.Sibling sibling) {
        all =
            all.plus(
                new Results.Named(
                    node.name(), SiblingPipelines.of(sibling, node.name(), all), node.meta()));
      }
    }
    return all;
  }

  private static Result within(AggregationNode node, Result result) {
    AggregationTree tree = node.children();
    return switch (result) {
      case Result.Single single ->
          new Result.Single(
              single.typeName(), single.docCount(), apply(tree, single.aggregations()));
      case Result.Buckets buckets -> {
        List<Result.Bucket> applied = new ArrayList<>(buckets.buckets().size());
        for (Result.Bucket bucket : buckets.buckets()) {
          applied.add(bucket.with(apply(tree, bucket.aggregations())));
        }
        Result.Buckets all = buckets.with(applied);
        for (AggregationNode pipeline : inOrder(tree.pipelines())) {
          if (pipeline.aggregation() instanceof PipelineAggregation parent
              && !(parent instanceof PipelineAggregation.Sibling)) {
            all = ParentPipelines.apply(parent, pipeline, all);
          }
        }
        yield all;
      }
      default -> result;
    };
  }

  /** Sorts pipelines so that each follows those to which it refers. */
  static List<AggregationNode> inOrder(List<AggregationNode> pipelines) {
    List<AggregationNode> left = new ArrayList<>(pipelines);
    List<AggregationNode> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      Set<String> waiting = new HashSet<>();
      left.forEach(node -> waiting.add(node.name()));
      AggregationNode next =
          left.stream()
              .filter(node -> paths(node).stream().noneMatch(waiting::contains))
              .findFirst()
              .orElseThrow(() ->
                  BucketPath.execution(
                      "Cyclical dependency found with pipeline aggregation ["
                          + left.getFirst().name()
                          + "]"));
      ordered.add(next);
      left.remove(next);
    }
    return ordered;
  }

  /** The names of the aggregations to which the paths refer. */
  private static List<String> paths(AggregationNode node) {
    List<String> paths =
        switch (node.aggregation()) {
          case PipelineAggregation.Sibling sibling -> List.of(sibling.path());
          case PipelineAggregation.Derivative derivative -> List.of(derivative.path());
          case PipelineAggregation.CumulativeSum sum -> List.of(sum.path());
          case PipelineAggregation.SerialDiff diff -> List.of(diff.path());
          case PipelineAggregation.BucketSort sort ->
              sort.sort().stream().map(PipelineAggregation.SortBy::path).toList();
          default -> List.of();
        };
    return paths.stream().map(path -> path.split("[>.\\[]", 2)[0]).toList();
  }
}
