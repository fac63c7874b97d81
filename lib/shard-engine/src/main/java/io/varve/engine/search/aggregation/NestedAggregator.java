package io.varve.engine.search.aggregation;

import io.varve.engine.fields.NestedDocuments;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Joins documents to their nested objects. A document's objects precede it in its block: they are
 * those between the previous parent document and this one.
 */
final class NestedAggregator extends OneGroupAggregator {

  private final Weight objects;
  private final QueryBitSetProducer around;

  /**
   * @param scope the path of the enclosing nested objects, or null for whole documents
   */
  NestedAggregator(
      String path, @Nullable String scope, Children children, AggregationContext context)
      throws IOException {
    super(children, context);
    this.objects =
        context
            .searcher()
            .createWeight(
                context.searcher().rewrite(NestedDocuments.at(path)),
                ScoreMode.COMPLETE_NO_SCORES,
                1);
    this.around = new QueryBitSetProducer(around(scope));
  }

  /** Matches root documents and the objects of a path. */
  static Query around(@Nullable String scope) {
    return scope == null
        ? NestedDocuments.roots()
        : new BooleanQuery.Builder()
            .add(NestedDocuments.roots(), BooleanClause.Occur.SHOULD)
            .add(NestedDocuments.at(scope), BooleanClause.Occur.SHOULD)
            .build();
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    BitSet documents = around.getBitSet(leaf);
    Scorer scorer = objects.scorer(leaf);
    if (documents == null || scorer == null) {
      return LeafBuckets.NONE;
    }
    DocIdSetIterator found = scorer.iterator();
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      private int loaded = -1;
      private int[] own = new int[8];
      private int size;

      @Override
      public void collect(int doc, int bucket) throws IOException {
        // A document is collected once per bucket.
        if (doc != loaded) {
          load(doc);
        }
        counts.add(bucket, size);
        for (int i = 0; i < size; i++) {
          inner.collect(own[i], bucket);
        }
      }

      private void load(int doc) throws IOException {
        loaded = doc;
        size = 0;
        int before = doc == 0 ? -1 : documents.prevSetBit(doc - 1);
        int at = found.docID();
        if (at <= before) {
          at = found.advance(before + 1);
        }
        for (; at < doc; at = found.nextDoc()) {
          if (size == own.length) {
            own = Arrays.copyOf(own, size * 2);
          }
          own[size++] = at;
        }
      }
    };
  }
}
