package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.search.Slice;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * Divides a shard into slices for parallel scrolls.
 *
 * <p>Slicing by the hash of {@code _id} or of a numeric field always assigns a document to the same
 * slice. Slicing by Lucene's document id does so on the same reader only, but needs no hashes.
 * Hashes are computed once per segment and cached with the query.
 */
public final class SliceQuery extends Query {

  private static final int HASH_SEED = 7919;

  private enum By {
    PLACE,
    ID,
    NUMBER
  }

  private final By by;
  private final Slice.Share.Part part;
  private final Map<IndexReader.CacheKey, FixedBitSet> known = new ConcurrentHashMap<>();

  private SliceQuery(By by, Slice.Share.Part part) {
    this.by = by;
    this.part = part;
  }

  /**
   * The query for one slice.
   *
   * @param oneReader whether all slices are searched on this reader
   */
  public static Query of(Slice.Share.Part part, boolean oneReader) {
    String field = part.field();
    if (field == null || field.equals(MetaFields.ID)) {
      return new SliceQuery(oneReader && field == null ? By.PLACE : By.ID, part);
    }
    return new SliceQuery(By.NUMBER, part);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    int maxDoc = searcher.getIndexReader().maxDoc();
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        DocIdSetIterator documents =
            by == By.PLACE ? range(leaf, maxDoc) : new BitSetIterator(bits(leaf.reader()), 0);
        return documents.cost() == 0 && by == By.PLACE
            ? null
            : new DefaultScorerSupplier(new ConstantScoreScorer(score(), scoreMode, documents));
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  private DocIdSetIterator range(LeafReaderContext leaf, int maxDoc) {
    int from = (int) ((long) maxDoc * part.id() / part.max()) - leaf.docBase;
    int to = (int) ((long) maxDoc * (part.id() + 1) / part.max()) - leaf.docBase;
    int first = Math.max(0, from);
    int end = Math.min(leaf.reader().maxDoc(), to);
    return first >= end ? DocIdSetIterator.empty() : DocIdSetIterator.range(first, end);
  }

  private FixedBitSet bits(LeafReader reader) throws IOException {
    IndexReader.CacheHelper helper = reader.getCoreCacheHelper();
    if (helper == null) {
      return worked(reader);
    }
    FixedBitSet bits = known.get(helper.getKey());
    if (bits == null) {
      bits = worked(reader);
      known.put(helper.getKey(), bits);
    }
    return bits;
  }

  private FixedBitSet worked(LeafReader reader) throws IOException {
    FixedBitSet bits = new FixedBitSet(Math.max(1, reader.maxDoc()));
    if (by == By.ID) {
      addIds(reader, bits);
    } else {
      addNumbers(reader, bits);
    }
    return bits;
  }

  private void addIds(LeafReader reader, FixedBitSet bits) throws IOException {
    Terms ids = reader.terms(MetaFields.ID);
    if (ids == null) {
      return;
    }
    TermsEnum terms = ids.iterator();
    PostingsEnum postings = null;
    for (BytesRef id = terms.next(); id != null; id = terms.next()) {
      if (Math.floorMod(StringHelper.murmurhash3_x86_32(id, HASH_SEED), part.max()) == part.id()) {
        postings = terms.postings(postings, PostingsEnum.NONE);
        for (int doc = postings.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = postings.nextDoc()) {
          bits.set(doc);
        }
      }
    }
  }

  private void addNumbers(LeafReader reader, FixedBitSet bits) throws IOException {
    String field = String.valueOf(part.field());
    SortedNumericDocValues values;
    try {
      values = DocValues.getSortedNumeric(reader, field);
    } catch (IllegalStateException e) {
      throw SearchErrors.illegal(
          "cannot load numeric doc values on [" + field + "] to slice by: " + e.getMessage());
    }
    for (int doc = 0; doc < reader.maxDoc(); doc++) {
      long mixed = values.advanceExact(doc) ? mixed(values.nextValue()) : 0;
      if (Math.floorMod(mixed, part.max()) == part.id()) {
        bits.set(doc);
      }
    }
  }

  /** Spreads similar numbers (the finalizer of SplitMix64). */
  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "slice[" + by + ", " + part.id() + " of " + part.max() + "]";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SliceQuery slice && by == slice.by && part.equals(slice.part);
  }

  @Override
  public int hashCode() {
    return part.hashCode() * 31 + by.hashCode();
  }
}
