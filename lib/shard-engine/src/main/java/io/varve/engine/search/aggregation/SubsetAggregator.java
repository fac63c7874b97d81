package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.SignificantPartial;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** Counts the documents that are passed to another aggregator, including those without terms. */
final class SubsetAggregator implements Aggregator {

  private final Aggregator terms;
  private final SignificantTerms output;

  SubsetAggregator(Aggregator terms, SignificantTerms output) {
    this.terms = terms;
    this.output = output;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets inner = terms.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        output.looked(bucket);
        inner.collect(doc, bucket);
      }
    };
  }

  @Override
  public Partial build(int bucket) throws IOException {
    Partial built = terms.build(bucket);
    // An unmapped field still has a document count.
    return built instanceof SignificantPartial found && found.documents() == 0
        ? output.counted(found, bucket)
        : built;
  }

  @Override
  public Partial empty() {
    return terms.empty();
  }

  @Override
  public boolean needsScores() {
    return terms.needsScores();
  }
}
