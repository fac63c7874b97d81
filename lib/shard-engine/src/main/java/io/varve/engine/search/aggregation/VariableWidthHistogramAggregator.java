package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.ClustersPartial;
import io.varve.search.aggregation.partial.ClustersPartial.Cluster;
import io.varve.search.aggregation.partial.Sum;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;

/**
 * Computes {@code variable_width_histogram}: clusters similar numbers. Each distinct value is its
 * own cluster until all documents have been collected.
 */
final class VariableWidthHistogramAggregator extends KeyedAggregator {

  private final FieldValues values;
  private final int most;

  /**
   * @param most maximum number of clusters returned
   */
  VariableWidthHistogramAggregator(
      FieldValues values, int most, Children children, AggregationContext context) {
    super(children, context);
    this.values = values;
    this.most = most;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        double previous = Double.NaN;
        for (int left = numbers.load(doc); left > 0; left--) {
          double value = numbers.decimal();
          if (value != previous) {
            previous = value;
            inner.collect(doc, count(owner, Double.doubleToLongBits(value)));
          }
        }
      }
    };
  }

  @Override
  public ClustersPartial build(int owner) throws IOException {
    List<Cluster> clusters = new ArrayList<>();
    for (int bucket : keys.of(owner)) {
      double value = Double.longBitsToDouble(keys.key(bucket));
      long count = counts.get(bucket);
      clusters.add(
          new Cluster(value, value, new Sum(value * count, 0), count, children.build(bucket)));
    }
    clusters.sort(Comparator.comparingDouble(Cluster::min));
    return new ClustersPartial(values.format(), clusters).reducedTo(most);
  }

  @Override
  public ClustersPartial empty() {
    return new ClustersPartial(values.format(), List.of());
  }
}
