package io.varve.search.aggregation;

import java.util.List;

/**
 * The aggregations of a search.
 *
 * @param warnings deprecation warnings about the request's spelling
 */
public record Aggregations(AggregationTree tree, List<String> warnings) {

  public static final Aggregations NONE = new Aggregations(AggregationTree.EMPTY, List.of());

  public Aggregations {
    warnings = List.copyOf(warnings);
  }

  public boolean isEmpty() {
    return tree.isEmpty();
  }
}
