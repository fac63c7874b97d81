package io.varve.search.aggregation;

import java.util.List;
import java.util.Optional;

/**
 * The aggregations at one level of a request, in the order of the request.
 *
 * @param collected aggregations over documents; partial results are in the same order
 * @param pipelines aggregations over the results of other aggregations
 */
public record AggregationTree(List<AggregationNode> collected, List<AggregationNode> pipelines) {

  public static final AggregationTree EMPTY = new AggregationTree(List.of(), List.of());

  public AggregationTree {
    collected = List.copyOf(collected);
    pipelines = List.copyOf(pipelines);
  }

  public boolean isEmpty() {
    return collected.isEmpty() && pipelines.isEmpty();
  }

  public Optional<AggregationNode> collected(String name) {
    return collected.stream().filter(node -> node.name().equals(name)).findFirst();
  }

  /** The index of a collected aggregation, or -1. */
  public int position(String name) {
    for (int i = 0; i < collected.size(); i++) {
      if (collected.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
