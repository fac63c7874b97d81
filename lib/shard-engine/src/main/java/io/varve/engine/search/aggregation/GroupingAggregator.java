package io.varve.engine.search.aggregation;

import io.varve.rpc.ApiException;
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

  /**
   * The bucket of one of several groups of an owner.
   *
   * @param groups that each owner has
   */
  static int place(int owner, int groups, int group) {
    long place = (long) owner * groups + group;
    if (place > Integer.MAX_VALUE - 16) {
      throw new ApiException(
          400, "too_many_buckets_exception", "an aggregation comes to [" + place + "] groups");
    }
    return (int) place;
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
