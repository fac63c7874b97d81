package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;

/** Base of aggregations with one bucket per parent bucket, which has the same number. */
abstract class OneGroupAggregator extends GroupingAggregator {

  OneGroupAggregator(Children children, AggregationContext context) {
    super(children, context);
  }

  @Override
  public final SinglePartial build(int bucket) throws IOException {
    return group(bucket);
  }

  @Override
  public final SinglePartial empty() {
    return emptyGroup();
  }
}
