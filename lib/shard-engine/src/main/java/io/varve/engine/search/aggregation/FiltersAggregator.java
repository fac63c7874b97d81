package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.partial.FixedPartial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/** Counts documents by matching filter, optionally with a bucket for those that match none. */
final class FiltersAggregator extends GroupingAggregator {

  private final List<FilterMatcher> filters;
  private final boolean other;

  FiltersAggregator(
      List<FilterMatcher> filters, boolean other, Children children, AggregationContext context) {
    super(children, context);
    this.filters = List.copyOf(filters);
    this.other = other;
  }

  private int groups() {
    return filters.size() + (other ? 1 : 0);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    FilterMatcher.Leaf[] matchers = new FilterMatcher.Leaf[filters.size()];
    for (int i = 0; i < matchers.length; i++) {
      matchers[i] = filters.get(i).leaf(leaf);
    }
    LeafBuckets inner = children.leaf(leaf);
    int groups = groups();
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        boolean any = false;
        for (int i = 0; i < matchers.length; i++) {
          if (matchers[i].matches(doc)) {
            any = true;
            count(doc, place(owner, groups, i));
          }
        }
        if (other && !any) {
          count(doc, place(owner, groups, matchers.length));
        }
      }

      private void count(int doc, int bucket) throws IOException {
        counts.add(bucket, 1);
        inner.collect(doc, bucket);
      }
    };
  }

  @Override
  public FixedPartial build(int owner) throws IOException {
    List<FixedPartial.Group> built = new ArrayList<>();
    for (int i = 0; i < groups(); i++) {
      int bucket = place(owner, groups(), i);
      built.add(new FixedPartial.Group(null, null, group(bucket)));
    }
    return new FixedPartial(Formats.RAW, built);
  }

  @Override
  public FixedPartial empty() {
    List<FixedPartial.Group> built = new ArrayList<>();
    for (int i = 0; i < groups(); i++) {
      built.add(new FixedPartial.Group(null, null, emptyGroup()));
    }
    return new FixedPartial(Formats.RAW, built);
  }
}
