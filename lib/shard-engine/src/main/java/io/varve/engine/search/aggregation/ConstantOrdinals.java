package io.varve.engine.search.aggregation;

import io.varve.engine.fields.DirectOrdinals;
import org.apache.lucene.util.BytesRef;

/** Doc values in which each document has the same term. */
final class ConstantOrdinals extends DirectOrdinals {

  private final BytesRef term;

  ConstantOrdinals(BytesRef term, int documents) {
    super(documents);
    this.term = term;
  }

  @Override
  protected boolean load(int target) {
    return true;
  }

  @Override
  public long nextOrd() {
    return 0;
  }

  @Override
  public int docValueCount() {
    return 1;
  }

  @Override
  public BytesRef lookupOrd(long ord) {
    return term;
  }

  @Override
  public long getValueCount() {
    return 1;
  }
}
