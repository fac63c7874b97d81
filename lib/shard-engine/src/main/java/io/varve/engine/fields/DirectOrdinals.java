package io.varve.engine.fields;

import org.apache.lucene.index.SortedSetDocValues;

/**
 * Base of doc values with random access to documents. Iteration checks one document after the
 * other.
 */
public abstract class DirectOrdinals extends SortedSetDocValues {

  private final int documents;
  private int doc = -1;

  protected DirectOrdinals(int documents) {
    this.documents = documents;
  }

  /** Positions on a document; false if it has no term. */
  protected abstract boolean load(int target);

  @Override
  public final boolean advanceExact(int target) {
    doc = target;
    return load(target);
  }

  @Override
  public final int docID() {
    return doc;
  }

  @Override
  public final int nextDoc() {
    return advance(doc + 1);
  }

  @Override
  public final int advance(int target) {
    for (int next = target; next < documents; next++) {
      if (advanceExact(next)) {
        return next;
      }
    }
    doc = NO_MORE_DOCS;
    return doc;
  }

  @Override
  public final long cost() {
    return documents;
  }
}
