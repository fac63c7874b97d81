package io.varve.search.aggregation.result;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.format.KeyOrder;
import io.varve.search.aggregation.partial.TermsPartial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Selects the first terms in the requested order, on a shard and in the final reduce. */
public final class TermSelection {

  /**
   * @param others documents of all terms that were not selected
   */
  public record Selected(List<Map.Entry<Object, TermsPartial.Bucket>> entries, long others) {
    public Selected {
      entries = List.copyOf(entries);
    }
  }

  private TermSelection() {}

  public static Selected select(
      TermsPartial partial, AggregationTree children, BucketOrder order, int size, long minDocs) {
    Comparator<Map.Entry<Object, TermsPartial.Bucket>> comparator =
        comparator(partial, children, order);
    PriorityQueue<Map.Entry<Object, TermsPartial.Bucket>> worstFirst =
        new PriorityQueue<>(comparator.reversed());
    long others = partial.others();
    for (Map.Entry<Object, TermsPartial.Bucket> entry : partial.buckets().entrySet()) {
      if (entry.getValue().docCount() < minDocs) {
        continue;
      }
      if (worstFirst.size() < size) {
        worstFirst.add(entry);
        continue;
      }
      Map.Entry<Object, TermsPartial.Bucket> worst = worstFirst.peek();
      if (worst != null && comparator.compare(entry, worst) < 0) {
        worstFirst.poll();
        worstFirst.add(entry);
        others += worst.getValue().docCount();
      } else {
        others += entry.getValue().docCount();
      }
    }
    List<Map.Entry<Object, TermsPartial.Bucket>> entries = new ArrayList<>(worstFirst);
    entries.sort(comparator);
    return new Selected(entries, others);
  }

  /** The terms that a shard returns, and the error bound for the terms that it omits. */
  public static TermsPartial cut(
      TermsPartial partial,
      AggregationTree children,
      BucketOrder order,
      int shardSize,
      long minDocs) {
    if (partial.kind() == TermsPartial.Kind.UNMAPPED) {
      return partial;
    }
    Selected selected = select(partial, children, order, shardSize, minDocs);
    long error = error(partial, selected, order, shardSize);
    Map<Object, TermsPartial.Bucket> kept = HashMap.newHashMap(selected.entries.size());
    for (Map.Entry<Object, TermsPartial.Bucket> entry : selected.entries) {
      TermsPartial.Bucket bucket = entry.getValue();
      kept.put(
          entry.getKey(),
          new TermsPartial.Bucket(bucket.docCount(), Math.max(0, error), bucket.children()));
    }
    return new TermsPartial(partial.kind(), partial.formats(), kept, selected.others, error, 1);
  }

  private static long error(
      TermsPartial partial, Selected selected, BucketOrder order, int shardSize) {
    if (selected.entries.isEmpty() || selected.entries.size() < shardSize || order.isByKey()) {
      return Math.max(0, partial.error());
    }
    if (order.isByCountDescending()) {
      return Math.max(partial.error(), selected.entries.getLast().getValue().docCount());
    }
    return TermsPartial.UNBOUNDED;
  }

  static Comparator<Map.Entry<Object, TermsPartial.Bucket>> comparator(
      TermsPartial partial, AggregationTree children, BucketOrder order) {
    Comparator<Object> byKey = KeyOrder.of(partial.formats());
    if (partial.formats().size() == 1) {
      byKey = KeyOrder.of(partial.formats().getFirst());
    }
    Comparator<Object> ownOrder = byKey;
    Comparator<Map.Entry<Object, TermsPartial.Bucket>> all = null;
    for (BucketOrder.Key key : order.keys()) {
      Comparator<Map.Entry<Object, TermsPartial.Bucket>> next =
          switch (key) {
            case BucketOrder.Key.Count(boolean down) ->
                (a, b) -> {
                  int order1 = Long.compare(a.getValue().docCount(), b.getValue().docCount());
                  return down ? -order1 : order1;
                };
            case BucketOrder.Key.Own(boolean down) ->
                (a, b) ->
                    down
                        ? ownOrder.compare(b.getKey(), a.getKey())
                        : ownOrder.compare(a.getKey(), b.getKey());
            case BucketOrder.Key.Path(String path, boolean down) ->
                (a, b) ->
                    compareValues(
                        OrderValues.value(children, a.getValue().children(), path),
                        OrderValues.value(children, b.getValue().children(), path),
                        down);
          };
      all = all == null ? next : all.thenComparing(next);
    }
    Comparator<Map.Entry<Object, TermsPartial.Bucket>> last =
        (a, b) -> ownOrder.compare(a.getKey(), b.getKey());
    return all == null ? last : all.thenComparing(last);
  }

  /** NaN sorts last in both directions. */
  static int compareValues(double a, double b, boolean descending) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    return descending ? Double.compare(b, a) : Double.compare(a, b);
  }

  static <T> List<T> reversed(List<T> list) {
    List<T> copy = new ArrayList<>(list);
    Collections.reverse(copy);
    return copy;
  }
}
