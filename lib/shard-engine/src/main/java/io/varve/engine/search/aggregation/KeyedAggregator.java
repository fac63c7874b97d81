package io.varve.engine.search.aggregation;

/** A group for each key that is met. */
abstract class KeyedAggregator extends GroupingAggregator {

  final BucketKeys keys;

  KeyedAggregator(Children children, AggregationContext context) {
    super(children, context);
    this.keys = new BucketKeys(context.memory());
  }

  /**
   * Counts a document and gives its bucket. The aggregations within are told by the caller: where
   * each kind of aggregation calls them in a place of its own, the virtual machine knows which they
   * are.
   */
  final int count(int owner, long key) {
    int bucket = keys.add(owner, key);
    counts.add(bucket, 1);
    return bucket;
  }
}
