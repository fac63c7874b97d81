package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.search.Scorable;

/** Delegates the calls before the first and after the last document to the sub-aggregations. */
abstract class DelegatingLeafBuckets implements LeafBuckets {

  private final LeafBuckets inner;

  DelegatingLeafBuckets(LeafBuckets inner) {
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
