package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** Computes {@code terms} over a numeric field. */
final class NumberTermsAggregator extends FoundTermsAggregator {

  private final AggregationContext context;

  NumberTermsAggregator(
      FieldValues values,
      TermFilter filter,
      TermsOutput output,
      Children children,
      AggregationContext context) {
    super(values, filter, output, children, context);
    this.context = context;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    boolean whole = values.kind().isWhole();
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        long previous = 0;
        boolean first = true;
        for (int left = numbers.load(doc); left > 0; left--) {
          long value = whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal());
          if ((first || value != previous) && filter.accepts(value)) {
            inner.collect(doc, count(owner, value));
          }
          first = false;
          previous = value;
        }
      }
    };
  }

  @Override
  void addAll(int owner) throws IOException {
    boolean whole = values.kind().isWhole();
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      Numbers numbers = values.numbers(leaf);
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        for (int left = numbers.load(doc); left > 0; left--) {
          long value = whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal());
          if (filter.accepts(value)) {
            keys.add(owner, value);
          }
        }
      }
    }
  }

  @Override
  public Object key(int bucket) {
    long kept = keys.key(bucket);
    return values.kind().isWhole() ? (Object) kept : (Object) Double.longBitsToDouble(kept);
  }

  @Override
  public int compare(int bucket, int other) {
    return KeyParts.compare(values, keys.key(bucket), keys.key(other));
  }

  @Override
  public Kind kind() {
    return switch (values.kind()) {
      case WHOLE -> Kind.LONG;
      case UNSIGNED -> Kind.UNSIGNED;
      default -> Kind.DOUBLE;
    };
  }
}
