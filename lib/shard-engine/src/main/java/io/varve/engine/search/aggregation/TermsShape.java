package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import io.varve.search.aggregation.result.TermSelection;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Truncates the terms of a bucket to the first ones in the requested order.
 *
 * @param tree of sub-aggregations, for orders by their values
 * @param whole keeps all terms, since the caller merges slices before truncating
 */
record TermsShape(BucketOrder order, Thresholds thresholds, AggregationTree tree, boolean whole)
    implements TermsOutput {

  @Override
  public boolean wantsEmpty() {
    return thresholds.minDocCount() == 0;
  }

  @Override
  public TermsPartial of(FoundTerms terms, int owner) throws IOException {
    int[] buckets = terms.of(owner);
    int[] kept = keep(buckets, terms.counts(), terms::compare);
    Map<Object, TermsPartial.Bucket> built = HashMap.newHashMap(kept.length);
    for (int bucket : kept) {
      built.put(
          terms.key(bucket),
          new TermsPartial.Bucket(terms.counts().get(bucket), 0, terms.children(bucket)));
    }
    long others = TermHeap.others(buckets, kept, terms.counts());
    return cut(new TermsPartial(terms.kind(), List.of(terms.format()), built, others, 0, 1));
  }

  @Override
  public TermsPartial nothing(Kind kind, ValueFormat format) {
    return kind == Kind.UNMAPPED
        ? TermsPartial.unmapped(List.of(format))
        : new TermsPartial(kind, List.of(format), Map.of(), 0, 0, 1);
  }

  /** The buckets to build. */
  int[] keep(int[] buckets, LongCells counts, TermHeap.Order byKey) {
    return whole ? buckets : TermHeap.keep(this, buckets, counts, ties(byKey));
  }

  /** The order of buckets with equal counts, or null if it depends on more than their keys. */
  private TermHeap.@Nullable Order ties(TermHeap.Order byKey) {
    if (order.keys().size() < 2) {
      return byKey;
    }
    return order.keys().get(1) instanceof BucketOrder.Key.Own(boolean down)
        ? down ? (left, right) -> byKey.compare(right, left) : byKey
        : null;
  }

  /** A shard drops rare terms only if requested by {@code shard_min_doc_count}. */
  TermsPartial cut(TermsPartial all) {
    return whole
        ? all
        : TermSelection.cut(
            all, tree, order, thresholds.shardSize(), thresholds.shardMinDocCount());
  }
}
