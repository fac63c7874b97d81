package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** A single bucket: the documents that pass a test. */
final class SingleAggregator extends OneGroupAggregator {

  /** Tests documents of a segment, in order. */
  interface Test {
    boolean holds(int doc) throws IOException;
  }

  /** Creates the test for a segment. */
  interface Tests {
    Test of(LeafReaderContext leaf) throws IOException;
  }

  private final Tests tests;

  SingleAggregator(Tests tests, Children children, AggregationContext context) {
    super(children, context);
    this.tests = tests;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Test test = tests.of(leaf);
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        if (test.holds(doc)) {
          counts.add(bucket, 1);
          inner.collect(doc, bucket);
        }
      }
    };
  }
}
