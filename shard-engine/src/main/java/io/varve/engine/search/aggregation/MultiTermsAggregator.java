package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.BytesRef;

/**
 * Documents by the values of several fields together. A key is one number for each field: the value
 * itself, or the number of its term.
 */
final class MultiTermsAggregator implements Aggregator {

  private final List<FieldValues> sources;
  private final TermsShape shape;
  private final Children children;
  private final AggregationContext context;
  private final List<TermTable> terms = new ArrayList<>();
  private final TermTable tuples;
  private final BucketKeys keys;
  private final LongCells counts;

  MultiTermsAggregator(
      List<FieldValues> sources, TermsShape shape, Children children, AggregationContext context) {
    this.sources = List.copyOf(sources);
    this.shape = shape;
    this.children = children;
    this.context = context;
    for (int i = 0; i < sources.size(); i++) {
      terms.add(new TermTable(context.memory()));
    }
    this.tuples = new TermTable(context.memory());
    this.keys = new BucketKeys(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets inner = children.leaf(leaf);
    Tuples leafTuples = new Tuples(leaf);
    return new Forwarding(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        leafTuples.forEach(
            doc,
            tuple -> {
              int bucket = keys.add(owner, tuple);
              counts.add(bucket, 1);
              inner.collect(doc, bucket);
            });
      }
    };
  }

  private interface TupleUse {
    void accept(int tuple) throws IOException;
  }

  /** The tuples of the documents of a segment: one for each choice of values. */
  private final class Tuples {
    private final List<KeyParts> parts = new ArrayList<>();
    private final BytesRef tuple = new BytesRef(new byte[sources.size() * Long.BYTES]);
    private final int[] sizes = new int[sources.size()];

    Tuples(LeafReaderContext leaf) throws IOException {
      for (int i = 0; i < sources.size(); i++) {
        parts.add(KeyParts.of(sources.get(i), terms.get(i), leaf));
      }
    }

    void forEach(int doc, TupleUse use) throws IOException {
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = parts.get(i).load(doc);
        if (sizes[i] == 0) {
          return;
        }
      }
      combine(0, use);
    }

    private void combine(int part, TupleUse use) throws IOException {
      if (part == sizes.length) {
        use.accept(tuples.add(tuple));
        return;
      }
      long[] values = parts.get(part).values();
      for (int i = 0; i < sizes[part]; i++) {
        BitUtil.VH_LE_LONG.set(tuple.bytes, part * Long.BYTES, values[i]);
        combine(part + 1, use);
      }
    }
  }

  /** Even the tuples that only other documents have. */
  private void addAll(int owner) throws IOException {
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      Tuples leafTuples = new Tuples(leaf);
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        leafTuples.forEach(doc, tuple -> keys.add(owner, tuple));
      }
    }
  }

  @Override
  public TermsPartial build(int owner) throws IOException {
    if (shape.wantsEmpty()) {
      addAll(owner);
    }
    int[] buckets = keys.of(owner);
    int[] kept = TermHeap.keep(shape, buckets, counts);
    Map<Object, TermsPartial.Bucket> built = HashMap.newHashMap(kept.length);
    BytesRef tuple = new BytesRef();
    for (int bucket : kept) {
      tuples.get((int) keys.key(bucket), tuple);
      built.put(key(tuple), new TermsPartial.Bucket(counts.get(bucket), 0, children.build(bucket)));
    }
    return shape.cut(
        new TermsPartial(
            Kind.SEVERAL, formats(), built, TermHeap.others(buckets, kept, counts), 0, 1));
  }

  private List<Object> key(BytesRef tuple) {
    List<Object> key = new ArrayList<>(sources.size());
    BytesRef term = new BytesRef();
    for (int i = 0; i < sources.size(); i++) {
      long part = (long) BitUtil.VH_LE_LONG.get(tuple.bytes, tuple.offset + i * Long.BYTES);
      FieldValues source = sources.get(i);
      if (source.kind() == FieldValues.Kind.BYTES) {
        terms.get(i).get((int) part, term);
        key.add(
            new BytesKey(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length)));
      } else {
        key.add(source.kind().isWhole() ? (Object) part : (Object) Double.longBitsToDouble(part));
      }
    }
    return Collections.unmodifiableList(key);
  }

  private List<ValueFormat> formats() {
    return sources.stream().map(FieldValues::format).toList();
  }

  @Override
  public TermsPartial empty() {
    return new TermsPartial(Kind.SEVERAL, formats(), Map.of(), 0, 0, 1);
  }

  @Override
  public boolean needsScores() {
    return children.needScores();
  }
}
