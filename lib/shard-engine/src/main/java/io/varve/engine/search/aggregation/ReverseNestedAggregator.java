package io.varve.engine.search.aggregation;

import io.varve.engine.fields.NestedDocuments;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Joins nested objects back to their parent, which is counted once per bucket. */
final class ReverseNestedAggregator extends OneGroupAggregator {

  private final QueryBitSetProducer around;
  // The last document counted for a bucket, as id in the whole reader + 1.
  private final LongCells last;

  /**
   * @param path of the parent objects, or null for whole documents
   */
  ReverseNestedAggregator(@Nullable String path, Children children, AggregationContext context) {
    super(children, context);
    this.around =
        new QueryBitSetProducer(path == null ? NestedDocuments.roots() : NestedDocuments.at(path));
    this.last = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    BitSet documents = around.getBitSet(leaf);
    if (documents == null) {
      return LeafBuckets.NONE;
    }
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        int document = documents.nextSetBit(doc);
        long mark = (long) leaf.docBase + document + 1;
        if (last.get(bucket) != mark) {
          last.add(bucket, mark - last.get(bucket));
          counts.add(bucket, 1);
          inner.collect(document, bucket);
        }
      }
    };
  }
}
