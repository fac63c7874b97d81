package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.AdjacencyMatrix;
import io.varve.search.aggregation.partial.KeyedPartial;
import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;

/** Counts documents by matching filter and by each pair of matching filters. */
final class AdjacencyAggregator extends GroupingAggregator {

  private final AdjacencyMatrix request;
  private final List<FilterMatcher> filters;

  AdjacencyAggregator(
      AdjacencyMatrix request,
      List<FilterMatcher> filters,
      Children children,
      AggregationContext context) {
    super(children, context);
    this.request = request;
    this.filters = List.copyOf(filters);
  }

  /** The index of a pair; a filter paired with itself is the filter alone. */
  private int bucket(int owner, int first, int second) {
    int size = filters.size();
    return place(owner, size * size, first * size + second);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    int size = filters.size();
    FilterMatcher.Leaf[] matchers = new FilterMatcher.Leaf[size];
    for (int i = 0; i < size; i++) {
      matchers[i] = filters.get(i).leaf(leaf);
    }
    LeafBuckets inner = children.leaf(leaf);
    boolean[] matches = new boolean[size];
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        for (int i = 0; i < size; i++) {
          matches[i] = matchers[i].matches(doc);
        }
        for (int i = 0; i < size; i++) {
          for (int j = i; matches[i] && j < size; j++) {
            if (matches[j] && (i != j || !request.intersectionsOnly())) {
              int bucket = bucket(owner, i, j);
              counts.add(bucket, 1);
              inner.collect(doc, bucket);
            }
          }
        }
      }
    };
  }

  @Override
  public KeyedPartial build(int owner) throws IOException {
    Map<String, SinglePartial> groups = new TreeMap<>();
    for (int i = 0; i < filters.size(); i++) {
      for (int j = i; j < filters.size(); j++) {
        int bucket = bucket(owner, i, j);
        if (counts.get(bucket) > 0) {
          String name = String.valueOf(request.filters().get(i).key());
          groups.put(
              i == j ? name : name + request.separator() + request.filters().get(j).key(),
              group(bucket));
        }
      }
    }
    return new KeyedPartial(groups);
  }

  @Override
  public KeyedPartial empty() {
    return new KeyedPartial(Map.of());
  }
}
