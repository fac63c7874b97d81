package io.varve.engine.search.aggregation;

import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongValues;
import org.jspecify.annotations.Nullable;

/**
 * Computes {@code terms} over bytes. Documents are counted by segment ordinals; a term is read, and
 * filtered, once per segment in which a document has it. With global ordinals it is read once for
 * all segments.
 */
final class TermsAggregator extends BytesTermsAggregator {

  private static final int NOT_SEEN = 0;
  private static final int REFUSED = -1;

  /** Number of documents that can be visited in the time needed to read a term. */
  private static final long DOCUMENTS_FOR_A_TERM = 8;

  private final @Nullable OrdinalMap global;
  // By global ordinal: the term's number + 1.
  private int[] knownToAll = new int[0];

  TermsAggregator(
      FieldValues values,
      TermFilter filter,
      TermsOutput output,
      Children children,
      AggregationContext context,
      @Nullable OrdinalMap global) {
    super(values, filter, output, children, context);
    this.global = global;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    SortedSetDocValues ordinals = values.ordinals(leaf);
    LeafBuckets inner = children.leaf(leaf);
    BytesRef missing = values.missingBytes();
    int missingTerm = missing != null && filter.accepts(missing) ? terms.add(missing) : REFUSED;
    OrdinalMap map = global;
    return new Leaf(ordinals, inner, missingTerm, map == null ? null : map.getGlobalOrds(leaf.ord));
  }

  /**
   * The index's document frequencies are the counts of all documents. From these, the documents
   * that do not match are subtracted, if they are few.
   */
  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    LeafReader reader = leaf.reader();
    LeafField field = values.field();
    Terms all =
        field == null || !countsAreIndexed(field) || reader.hasDeletions()
            ? null
            : reader.terms(field.path());
    if (all == null || all.size() < 0 || all.size() * DOCUMENTS_FOR_A_TERM > reader.maxDoc()) {
      return false;
    }
    SortedSetDocValues ordinals = values.ordinals(leaf);
    DocIdSetIterator others =
        ordinals.getValueCount() == all.size() ? NonMatches.of(reader, match) : null;
    if (others == null) {
      return false;
    }
    int[] excluded = table(all.size());
    for (int doc = others.nextDoc(); doc != NO_MORE_DOCS; doc = others.nextDoc()) {
      for (int left = ordinals.advanceExact(doc) ? ordinals.docValueCount() : 0; left > 0; left--) {
        excluded[(int) ordinals.nextOrd()]++;
      }
    }
    addWhole(all.iterator(), excluded);
    context.memory().charge(excluded.length * -4L);
    return true;
  }

  private boolean countsAreIndexed(LeafField field) {
    return children.isEmpty()
        && field.type() == FieldType.KEYWORD
        && field.indexed()
        && field.docValues()
        && values.own() == null
        && values.missing() == null;
  }

  /**
   * @param excluded the number of documents that do not match, by ordinal
   */
  private void addWhole(TermsEnum all, int[] excluded) throws IOException {
    int ordinal = 0;
    for (BytesRef term = all.next(); term != null; term = all.next()) {
      int count = all.docFreq() - excluded[ordinal++];
      if (count > 0 && filter.accepts(term)) {
        counts.add(keys.add(0, terms.add(term)), count);
      }
    }
  }

  private final class Leaf extends DelegatingLeafBuckets {
    private final SortedSetDocValues ordinals;
    private final LeafBuckets inner;
    private final int missingTerm;
    // By ordinal: the term's number + 1.
    private int[] known = new int[0];
    private final @Nullable LongValues places;
    private final @Nullable SortedDocValues single;
    // By ordinal: its bucket within the first bucket of the parent, + 1.
    private int[] buckets = new int[0];
    private final int[] ownDocs = new int[LeafBuckets.BATCH];
    private final int[] ownBuckets = new int[LeafBuckets.BATCH];

    Leaf(
        SortedSetDocValues ordinals,
        LeafBuckets inner,
        int missingTerm,
        @Nullable LongValues places) {
      super(inner);
      this.places = places;
      this.ordinals = ordinals;
      this.inner = inner;
      this.missingTerm = missingTerm;
      this.single = DocValues.unwrapSingleton(ordinals);
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!ordinals.advanceExact(doc)) {
        if (missingTerm >= 0) {
          inner.collect(doc, count(owner, missingTerm));
        }
        return;
      }
      for (int left = ordinals.docValueCount(); left > 0; left--) {
        int term = term(ordinals.nextOrd());
        if (term >= 0) {
          inner.collect(doc, count(owner, term));
        }
      }
    }

    /** Fast path for single-valued documents in one bucket. */
    @Override
    public void collectAll(int[] docs, int[] owners, int size) throws IOException {
      SortedDocValues one = single;
      if (one == null || !isFirst(owners, size)) {
        super.collectAll(docs, owners, size);
        return;
      }
      if (buckets.length == 0) {
        buckets = table(one.getValueCount());
      }
      int count = 0;
      for (int i = 0; i < size; i++) {
        int bucket = bucket(one, docs[i]);
        if (bucket >= 0) {
          counts.add(bucket, 1);
          ownDocs[count] = docs[i];
          ownBuckets[count++] = bucket;
        }
      }
      inner.collectAll(ownDocs, ownBuckets, count);
    }

    private int bucket(SortedDocValues one, int doc) throws IOException {
      if (!one.advanceExact(doc)) {
        return missingTerm < 0 ? REFUSED : keys.add(0, missingTerm);
      }
      int ordinal = one.ordValue();
      int known = buckets[ordinal];
      if (known == NOT_SEEN) {
        int term = term(ordinal);
        known = term < 0 ? REFUSED : keys.add(0, term) + 1;
        buckets[ordinal] = known;
      }
      return known == REFUSED ? REFUSED : known - 1;
    }

    private int term(long ordinal) throws IOException {
      LongValues toGlobal = places;
      if (toGlobal != null) {
        return term(knownToAll(), (int) toGlobal.get(ordinal), ordinal);
      }
      if (known.length == 0) {
        known = table(ordinals.getValueCount());
      }
      return term(known, (int) ordinal, ordinal);
    }

    private int term(int[] table, int at, long ordinal) throws IOException {
      int term = table[at];
      if (term == NOT_SEEN) {
        BytesRef bytes = ordinals.lookupOrd(ordinal);
        term = filter.accepts(bytes) ? terms.add(bytes) + 1 : REFUSED;
        table[at] = term;
      }
      return term == REFUSED ? REFUSED : term - 1;
    }

    @Override
    public void finish() throws IOException {
      context.memory().charge(-(known.length + buckets.length) * 4L);
      known = new int[0];
      buckets = new int[0];
      super.finish();
    }
  }

  private int[] table(long terms) {
    int size = (int) Math.min(Integer.MAX_VALUE - 16, terms);
    return context.memory().allocate(size * 4L, () -> new int[size]);
  }

  private int[] knownToAll() {
    if (knownToAll.length == 0 && global != null) {
      knownToAll = table(global.getValueCount());
    }
    return knownToAll;
  }
}
