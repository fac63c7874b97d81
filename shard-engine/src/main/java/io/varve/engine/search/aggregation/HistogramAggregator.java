package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Bounds;
import io.varve.search.aggregation.partial.HistogramPartial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Documents by the interval that their numbers fall into. */
final class HistogramAggregator implements Aggregator {

  private final FieldValues values;
  private final BucketAggregation.Histogram request;
  private final Children children;
  private final BucketKeys keys;
  private final LongCells counts;

  HistogramAggregator(
      FieldValues values,
      BucketAggregation.Histogram request,
      Children children,
      AggregationContext context) {
    this.values = values;
    this.request = request;
    this.children = children;
    this.keys = new BucketKeys(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    double interval = request.interval();
    double offset = request.offset();
    return new Forwarding(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        if (!numbers.advance(doc)) {
          return;
        }
        double previous = Double.NaN;
        for (int left = numbers.count(); left > 0; left--) {
          double index = Math.floor((numbers.decimal() - offset) / interval);
          if (index == previous || !within(index * interval + offset)) {
            continue;
          }
          previous = index;
          int bucket = keys.add(owner, Double.doubleToLongBits(index == 0 ? 0.0 : index));
          counts.add(bucket, 1);
          inner.collect(doc, bucket);
        }
      }
    };
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointCounter counter = children.isEmpty() ? PointCounter.of(values, leaf, match) : null;
    if (counter == null) {
      return false;
    }
    counter.count(
        new PointCounter.Buckets() {
          @Override
          public long key(long bits) {
            double index =
                Math.floor((values.decode(bits) - request.offset()) / request.interval());
            return Double.doubleToLongBits(index == 0 ? 0.0 : index);
          }

          @Override
          public void add(long key, long count) {
            if (within(Double.longBitsToDouble(key) * request.interval() + request.offset())) {
              counts.add(keys.add(0, key), count);
            }
          }
        });
    return true;
  }

  private boolean within(double key) {
    Bounds hard = request.hard();
    return hard == null
        || ((hard.min() == null || key >= hard.min()) && (hard.max() == null || key <= hard.max()));
  }

  @Override
  public HistogramPartial build(int owner) throws IOException {
    List<HistogramPartial.Bucket> buckets = new ArrayList<>();
    for (int bucket : keys.of(owner)) {
      double index = Double.longBitsToDouble(keys.key(bucket));
      buckets.add(
          new HistogramPartial.Bucket(
              index * request.interval() + request.offset(),
              counts.get(bucket),
              children.build(bucket)));
    }
    buckets.sort((a, b) -> Double.compare((Double) a.key(), (Double) b.key()));
    return partial(buckets);
  }

  private HistogramPartial partial(List<HistogramPartial.Bucket> buckets) {
    Bounds extended = request.extended();
    return new HistogramPartial(
        values.format(),
        buckets,
        extended == null ? null : rounded(extended.min()),
        extended == null ? null : rounded(extended.max()),
        children.empty());
  }

  private @Nullable Double rounded(@Nullable Double end) {
    return end == null
        ? null
        : (Double)
            (Math.floor((end - request.offset()) / request.interval()) * request.interval()
                + request.offset());
  }

  @Override
  public HistogramPartial empty() {
    return partial(List.of());
  }

  @Override
  public boolean needsScores() {
    return children.needScores();
  }
}
