package io.varve.engine.search;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BitSet;

/** The values of a document's nested objects, in order. */
final class NestedValues extends SortedNumericDocValues {

  private final SortedNumericDocValues values;
  private final BitSet parents;
  private final BitSet objects;
  private final int mostObjects;
  private long[] gathered = new long[8];
  private int count;
  private int next;
  private int doc = -1;

  private NestedValues(
      SortedNumericDocValues values, BitSet parents, BitSet objects, int mostObjects) {
    this.values = values;
    this.parents = parents;
    this.objects = objects;
    this.mostObjects = mostObjects;
  }

  /**
   * @param mostObjects maximum number of objects per document; the first ones are used
   */
  static SortedNumericDocValues of(
      LeafReaderContext leaf,
      String path,
      BitSetProducer parents,
      BitSetProducer objects,
      int mostObjects)
      throws IOException {
    BitSet ofParents = parents.getBitSet(leaf);
    BitSet ofObjects = objects.getBitSet(leaf);
    return ofParents == null || ofObjects == null
        ? DocValues.emptySortedNumeric()
        : new NestedValues(
            DocValues.getSortedNumeric(leaf.reader(), path), ofParents, ofObjects, mostObjects);
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    if (target == doc) {
      // The values iterator is already past this document's objects.
      next = 0;
      return count > 0;
    }
    doc = target;
    count = 0;
    next = 0;
    if (target == 0 || !parents.get(target)) {
      return false;
    }
    int from = parents.prevSetBit(target - 1) + 1;
    int seen = 0;
    for (int object = objects.nextSetBit(from);
        object < target && seen < mostObjects;
        object = objects.nextSetBit(object + 1)) {
      seen++;
      if (values.advanceExact(object)) {
        gathered = ArrayUtil.grow(gathered, count + values.docValueCount());
        for (int i = values.docValueCount(); i > 0; i--) {
          gathered[count++] = values.nextValue();
        }
      }
    }
    return count > 0;
  }

  @Override
  public long nextValue() {
    return gathered[next++];
  }

  @Override
  public int docValueCount() {
    return count;
  }

  @Override
  public int docID() {
    return doc;
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(doc + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    for (int at = target; at < parents.length(); at++) {
      if (advanceExact(at)) {
        return at;
      }
    }
    doc = NO_MORE_DOCS;
    return doc;
  }

  @Override
  public long cost() {
    return values.cost();
  }
}
