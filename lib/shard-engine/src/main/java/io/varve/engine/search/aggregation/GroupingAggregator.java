package io.varve.engine.search.aggregation;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;

/** Base of bucket aggregations: counts the documents of each bucket and holds sub-aggregations. */
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
   * The bucket of a fixed group of a parent bucket.
   *
   * @param groups number of groups per parent bucket
   */
  static int place(int owner, int groups, int group) {
    long place = (long) owner * groups + group;
    if (place > Integer.MAX_VALUE - 16) {
      throw new ApiException(
          400, "too_many_buckets_exception", "an aggregation would have [" + place + "] groups");
    }
    return (int) place;
  }

  /** Whether all given documents are in the first bucket of the parent. */
  static boolean isFirst(int[] owners, int size) {
    int all = 0;
    for (int i = 0; i < size; i++) {
      all |= owners[i];
    }
    return all == 0;
  }

  /** A bucket without documents. */
  final SinglePartial emptyGroup() {
    return new SinglePartial(0, children.empty());
  }

  @Override
  public final boolean needsScores() {
    return children.needScores();
  }
}
