package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Computes {@code multi_terms}. A key has one number per field: the value itself, or the number
 * assigned to its term.
 */
final class MultiTermsAggregator extends KeyedAggregator {

  private final List<FieldValues> sources;
  private final TermsShape shape;
  private final AggregationContext context;
  private final List<TermTable> terms = new ArrayList<>();
  private final TermTable tuples;
  // Per source: whether segment ordinals identify its terms because there is a single segment.
  private final boolean[] bySegment;
  private final @Nullable SortedSetDocValues[] segmentOrdinals;
  private final BytesRef first = new BytesRef();
  private final BytesRef second = new BytesRef();

  MultiTermsAggregator(
      List<FieldValues> sources, TermsShape shape, Children children, AggregationContext context) {
    super(children, context);
    this.sources = List.copyOf(sources);
    this.shape = shape;
    this.context = context;
    for (int i = 0; i < sources.size(); i++) {
      terms.add(new TermTable(context.memory()));
    }
    this.tuples = new TermTable(context.memory());
    this.bySegment = new boolean[sources.size()];
    this.segmentOrdinals = new SortedSetDocValues[sources.size()];
    boolean one = context.searcher().getIndexReader().leaves().size() == 1;
    for (int i = 0; i < sources.size(); i++) {
      FieldValues source = sources.get(i);
      bySegment[i] = one && isBytes(source) && source.missing() == null;
    }
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets inner = children.leaf(leaf);
    Tuples leafTuples = new Tuples(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        leafTuples.forEach(doc, tuple -> inner.collect(doc, count(owner, tuple)));
      }
    };
  }

  private interface TupleUse {
    void accept(int tuple) throws IOException;
  }

  /** The tuples of a segment's documents: one per combination of values. */
  private final class Tuples {
    private final List<KeyParts> parts = new ArrayList<>();
    private final BytesRef tuple = new BytesRef(new byte[sources.size() * Long.BYTES]);
    private final int[] sizes = new int[sources.size()];

    Tuples(LeafReaderContext leaf) throws IOException {
      for (int i = 0; i < sources.size(); i++) {
        FieldValues source = sources.get(i);
        parts.add(
            bySegment[i]
                ? KeyParts.ofSegment(source, leaf)
                : KeyParts.of(source, terms.get(i), leaf));
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

  /** Adds, with count 0, the tuples of documents that did not match. */
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
    int[] kept = shape.keep(buckets, counts, this::compare);
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

  private static boolean isBytes(FieldValues source) {
    return source.kind() == FieldValues.Kind.BYTES;
  }

  private static long part(BytesRef tuple, int source) {
    return (long) BitUtil.VH_LE_LONG.get(tuple.bytes, tuple.offset + source * Long.BYTES);
  }

  /** Compares the keys of two buckets, part by part. */
  private int compare(int bucket, int other) {
    tuples.get((int) keys.key(bucket), first);
    tuples.get((int) keys.key(other), second);
    for (int i = 0; i < sources.size(); i++) {
      FieldValues source = sources.get(i);
      long a = part(first, i);
      long b = part(second, i);
      int order =
          isBytes(source) && !bySegment[i]
              ? terms.get(i).compare((int) a, (int) b)
              : bySegment[i] ? Long.compare(a, b) : KeyParts.compare(source, a, b);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private List<Object> key(BytesRef tuple) throws IOException {
    List<Object> key = new ArrayList<>(sources.size());
    for (int i = 0; i < sources.size(); i++) {
      long part = part(tuple, i);
      FieldValues source = sources.get(i);
      if (bySegment[i]) {
        key.add(TermTable.key(ordinals(i).lookupOrd(part)));
      } else if (isBytes(source)) {
        key.add(terms.get(i).key((int) part));
      } else {
        key.add(source.kind().isWhole() ? (Object) part : (Object) Double.longBitsToDouble(part));
      }
    }
    return Collections.unmodifiableList(key);
  }

  private SortedSetDocValues ordinals(int source) throws IOException {
    SortedSetDocValues known = segmentOrdinals[source];
    if (known == null) {
      known = sources.get(source).ordinals(context.searcher().getIndexReader().leaves().getFirst());
      segmentOrdinals[source] = known;
    }
    return known;
  }

  private List<ValueFormat> formats() {
    return sources.stream().map(FieldValues::format).toList();
  }

  @Override
  public TermsPartial empty() {
    return new TermsPartial(Kind.SEVERAL, formats(), Map.of(), 0, 0, 1);
  }
}
