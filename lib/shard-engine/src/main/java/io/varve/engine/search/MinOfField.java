package io.varve.engine.search;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LongValues;
import org.apache.lucene.search.LongValuesSource;

/** The smallest integer of a document in a field. */
final class MinOfField extends LongValuesSource {

  private final String path;

  MinOfField(String path) {
    this.path = path;
  }

  @Override
  public LongValues getValues(LeafReaderContext leaf, DoubleValues scores) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), path);
    return new LongValues() {
      @Override
      public boolean advanceExact(int doc) throws IOException {
        return values.advanceExact(doc);
      }

      @Override
      public long longValue() throws IOException {
        return values.nextValue();
      }
    };
  }

  @Override
  public boolean needsScores() {
    return false;
  }

  @Override
  public LongValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return DocValues.isCacheable(leaf, path);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MinOfField least && path.equals(least.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return "least(" + path + ")";
  }
}
