package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** Base of terms aggregations over bytes, in which a key is the number of its term in a table. */
abstract class BytesTermsAggregator extends FoundTermsAggregator {

  final AggregationContext context;
  final TermTable terms;

  BytesTermsAggregator(
      FieldValues values,
      TermFilter filter,
      TermsOutput output,
      Children children,
      AggregationContext context) {
    super(values, filter, output, children, context);
    this.context = context;
    this.terms = new TermTable(context.memory());
  }

  @Override
  public final Kind kind() {
    return Kind.BYTES;
  }

  @Override
  public final Object key(int bucket) {
    return terms.key((int) keys.key(bucket));
  }

  @Override
  public final int compare(int bucket, int other) {
    return terms.compare((int) keys.key(bucket), (int) keys.key(other));
  }

  @Override
  final void addAll(int owner) throws IOException {
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      TermsEnum all = values.ordinals(leaf).termsEnum();
      for (BytesRef term = all.next(); term != null; term = all.next()) {
        if (filter.accepts(term)) {
          keys.add(owner, terms.add(term));
        }
      }
    }
  }
}
