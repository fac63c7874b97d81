package io.varve.engine.search.aggregation;

/** Base of aggregations with one bucket per key. */
abstract class KeyedAggregator extends GroupingAggregator {

  final BucketKeys keys;

  KeyedAggregator(Children children, AggregationContext context) {
    super(children, context);
    this.keys = new BucketKeys(context.memory());
  }

  /**
   * Counts a document and returns its bucket. The caller invokes the sub-aggregations, so that each
   * kind of aggregation has its own call site, which the JIT compiler can specialize.
   */
  final int count(int owner, long key) {
    int bucket = keys.add(owner, key);
    counts.add(bucket, 1);
    return bucket;
  }
}
