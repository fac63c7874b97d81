package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.search.Scorable;

/** Tells the aggregations within what is not about one document. */
abstract class Forwarding implements LeafBuckets {

  private final LeafBuckets inner;

  Forwarding(LeafBuckets inner) {
    this.inner = inner;
  }

  @Override
  public void scorer(Scorable scorer) throws IOException {
    inner.scorer(scorer);
  }

  @Override
  public void finish() throws IOException {
    inner.finish();
  }
}
