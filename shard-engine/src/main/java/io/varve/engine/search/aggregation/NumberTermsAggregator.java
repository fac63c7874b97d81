package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;

/** Terms of a field of numbers. */
final class NumberTermsAggregator implements Aggregator {

  private final FieldValues values;
  private final TermFilter filter;
  private final TermsShape shape;
  private final Children children;
  private final AggregationContext context;
  private final BucketKeys keys;
  private final LongCells counts;

  NumberTermsAggregator(
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
    this.keys = new BucketKeys(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    boolean whole = values.kind().isWhole();
    return new Forwarding(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        if (!numbers.advance(doc)) {
          return;
        }
        long previous = 0;
        for (int i = 0, count = numbers.count(); i < count; i++) {
          long value = whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal());
          if ((i > 0 && value == previous) || !filter.accepts(value)) {
            previous = value;
            continue;
          }
          previous = value;
          int bucket = keys.add(owner, value);
          counts.add(bucket, 1);
          inner.collect(doc, bucket);
        }
      }
    };
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
    Map<Object, TermsPartial.Bucket> built = HashMap.newHashMap(buckets.length);
    int[] kept = TermHeap.keep(shape, buckets, counts);
    long others = TermHeap.others(buckets, kept, counts);
    for (int bucket : kept) {
      Partials within = children.build(bucket);
      built.put(key(keys.key(bucket)), new TermsPartial.Bucket(counts.get(bucket), 0, within));
    }
    return shape.cut(new TermsPartial(kind(), List.of(values.format()), built, others, 0, 1));
  }

  /** Even the values that only other documents have. */
  private void addAll(int owner) throws IOException {
    boolean whole = values.kind().isWhole();
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      Numbers numbers = values.numbers(leaf);
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (numbers.advance(doc)) {
          for (int left = numbers.count(); left > 0; left--) {
            long value = whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal());
            if (filter.accepts(value)) {
              keys.add(owner, value);
            }
          }
        }
      }
    }
  }

  private Object key(long kept) {
    return values.kind().isWhole() ? (Object) kept : (Object) Double.longBitsToDouble(kept);
  }

  private Kind kind() {
    return switch (values.kind()) {
      case WHOLE -> Kind.LONG;
      case UNSIGNED -> Kind.UNSIGNED;
      default -> Kind.DOUBLE;
    };
  }

  @Override
  public TermsPartial empty() {
    return values.isNothing()
        ? TermsPartial.unmapped(List.of(values.format()))
        : new TermsPartial(kind(), List.of(values.format()), Map.of(), 0, 0, 1);
  }

  @Override
  public boolean needsScores() {
    return children.needScores();
  }
}
