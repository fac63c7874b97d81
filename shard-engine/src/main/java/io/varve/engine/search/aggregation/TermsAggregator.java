package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * Terms of a field of bytes. Documents are counted by the segment's own ordinals; a term itself is
 * looked at once for each segment in which a document has it, which is also when it is filtered.
 */
final class TermsAggregator implements Aggregator {

  private static final int NOT_SEEN = 0;
  private static final int REFUSED = -1;

  private final FieldValues values;
  private final TermFilter filter;
  private final TermsShape shape;
  private final Children children;
  private final AggregationContext context;
  private final TermTable terms;
  private final BucketKeys keys;
  private final LongCells counts;

  TermsAggregator(
      FieldValues values,
      TermFilter filter,
      TermsShape shape,
      Children children,
      AggregationContext context) {
    this.values = values;
    this.filter = filter;
    this.shape = shape;
    this.children = children;
    this.context = context;
    this.terms = new TermTable(context.memory());
    this.keys = new BucketKeys(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    SortedSetDocValues ordinals = values.ordinals(leaf);
    LeafBuckets inner = children.leaf(leaf);
    BytesRef missing = values.missingBytes();
    int missingTerm = missing != null && filter.accepts(missing) ? terms.add(missing) : REFUSED;
    return new Leaf(ordinals, inner, missingTerm);
  }

  private final class Leaf extends Forwarding {
    private final SortedSetDocValues ordinals;
    private final LeafBuckets inner;
    private final int missingTerm;
    // By ordinal: the term's number + 1.
    private int[] known = new int[0];

    Leaf(SortedSetDocValues ordinals, LeafBuckets inner, int missingTerm) {
      super(inner);
      this.ordinals = ordinals;
      this.inner = inner;
      this.missingTerm = missingTerm;
    }

    @Override
    public void collect(int doc, int owner) throws IOException {
      if (!ordinals.advanceExact(doc)) {
        if (missingTerm >= 0) {
          count(doc, owner, missingTerm);
        }
        return;
      }
      for (int left = ordinals.docValueCount(); left > 0; left--) {
        int term = term(ordinals.nextOrd());
        if (term >= 0) {
          count(doc, owner, term);
        }
      }
    }

    private void count(int doc, int owner, int term) throws IOException {
      int bucket = keys.add(owner, term);
      counts.add(bucket, 1);
      inner.collect(doc, bucket);
    }

    private int term(long ordinal) throws IOException {
      if (known.length == 0) {
        int size = (int) Math.min(Integer.MAX_VALUE - 16, ordinals.getValueCount());
        context.memory().charge(size * 4L);
        known = new int[size];
      }
      int at = (int) ordinal;
      int term = known[at];
      if (term == NOT_SEEN) {
        BytesRef bytes = ordinals.lookupOrd(ordinal);
        term = filter.accepts(bytes) ? terms.add(bytes) + 1 : REFUSED;
        known[at] = term;
      }
      return term == REFUSED ? REFUSED : term - 1;
    }

    @Override
    public void finish() throws IOException {
      context.memory().charge(-known.length * 4L);
      known = new int[0];
      super.finish();
    }
  }

  @Override
  public TermsPartial build(int owner) throws IOException {
    if (values.isNothing()) {
      return empty();
    }
    if (shape.wantsEmpty()) {
      addAll(owner);
    }
    int[] buckets = keys.of(owner);
    int[] kept = TermHeap.keep(shape, buckets, counts);
    Map<Object, TermsPartial.Bucket> built = HashMap.newHashMap(kept.length);
    BytesRef term = new BytesRef();
    for (int bucket : kept) {
      terms.get((int) keys.key(bucket), term);
      built.put(
          new BytesKey(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length)),
          new TermsPartial.Bucket(counts.get(bucket), 0, children.build(bucket)));
    }
    return shape.cut(
        new TermsPartial(
            Kind.BYTES,
            List.of(values.format()),
            built,
            TermHeap.others(buckets, kept, counts),
            0,
            1));
  }

  /** Even the terms that only other documents have. */
  private void addAll(int owner) throws IOException {
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      TermsEnum all = values.ordinals(leaf).termsEnum();
      for (BytesRef term = all.next(); term != null; term = all.next()) {
        if (filter.accepts(term)) {
          keys.add(owner, terms.add(term));
        }
      }
    }
  }

  @Override
  public TermsPartial empty() {
    return values.isNothing()
        ? TermsPartial.unmapped(List.of(values.format()))
        : new TermsPartial(Kind.BYTES, List.of(values.format()), Map.of(), 0, 0, 1);
  }

  @Override
  public boolean needsScores() {
    return children.needScores();
  }
}
