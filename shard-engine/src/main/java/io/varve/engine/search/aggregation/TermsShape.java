package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.result.TermSelection;

/**
 * What is given of all the terms that were found.
 *
 * @param tree of the aggregations within, for orders by their figures
 */
record TermsShape(BucketOrder order, Thresholds thresholds, AggregationTree tree) {

  boolean wantsEmpty() {
    return thresholds.minDocCount() == 0;
  }

  /** A shard leaves out what is rare there only if it was told to. */
  TermsPartial cut(TermsPartial all) {
    return TermSelection.cut(
        all, tree, order, thresholds.shardSize(), thresholds.shardMinDocCount());
  }
}
