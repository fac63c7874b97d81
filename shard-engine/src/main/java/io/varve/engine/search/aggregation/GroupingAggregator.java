package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;

/** Puts documents into groups: counts those of each, and has aggregations within them. */
abstract class GroupingAggregator implements Aggregator {

  final Children children;
  final LongCells counts;

  GroupingAggregator(Children children, AggregationContext context) {
    this.children = children;
    this.counts = new LongCells(context.memory());
  }

  final SinglePartial group(int bucket) throws IOException {
    return new SinglePartial(counts.get(bucket), children.build(bucket));
  }

  /** Whether all of some documents are in the first bucket of the aggregation around. */
  static boolean isFirst(int[] owners, int size) {
    int all = 0;
    for (int i = 0; i < size; i++) {
      all |= owners[i];
    }
    return all == 0;
  }

  /** A group without a document. */
  final SinglePartial emptyGroup() {
    return new SinglePartial(0, children.empty());
  }

  @Override
  public final boolean needsScores() {
    return children.needScores();
  }
}
