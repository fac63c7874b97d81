package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** One group: the documents for which something holds. */
final class SingleAggregator implements Aggregator {

  /** Tells whether a document of a segment counts; asked about documents in their order. */
  interface Test {
    boolean holds(int doc) throws IOException;
  }

  /** Makes the test for a segment. */
  interface Tests {
    Test of(LeafReaderContext leaf) throws IOException;
  }

  private final Tests tests;
  private final Children children;
  private final LongCells counts;

  SingleAggregator(Tests tests, Children children, AggregationContext context) {
    this.tests = tests;
    this.children = children;
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Test test = tests.of(leaf);
    LeafBuckets inner = children.leaf(leaf);
    return new Forwarding(inner) {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        if (test.holds(doc)) {
          counts.add(bucket, 1);
          inner.collect(doc, bucket);
        }
      }
    };
  }

  @Override
  public SinglePartial build(int bucket) throws IOException {
    return new SinglePartial(counts.get(bucket), children.build(bucket));
  }

  @Override
  public SinglePartial empty() {
    return new SinglePartial(0, children.empty());
  }

  @Override
  public boolean needsScores() {
    return children.needScores();
  }
}
