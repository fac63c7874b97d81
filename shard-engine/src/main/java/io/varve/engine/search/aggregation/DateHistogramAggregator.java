package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.DateHistogram;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.aggregation.rounding.Rounding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Documents by the interval of time that their dates fall into. */
final class DateHistogramAggregator implements Aggregator {

  /**
   * Ends in milliseconds, null for open.
   *
   * @param hardFrom no bucket is before it
   * @param hardTo none after it
   */
  record Ends(
      @Nullable Long from, @Nullable Long to, @Nullable Long hardFrom, @Nullable Long hardTo) {}

  private final FieldValues values;
  private final Rounding rounding;
  private final Ends ends;
  private final Children children;
  private final BucketKeys keys;
  private final LongCells counts;

  DateHistogramAggregator(
      FieldValues values,
      DateHistogram request,
      Ends ends,
      Children children,
      AggregationContext context) {
    this.values = values;
    this.rounding = DateRounding.of(request);
    this.ends = ends;
    this.children = children;
    this.keys = new BucketKeys(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    Rounding.Prepared prepared = DateRounding.prepared(rounding, values, leaf);
    return new Forwarding(inner) {
      private long lastKey = Long.MIN_VALUE;
      private int lastOwner = -1;
      private int lastBucket;

      @Override
      public void collect(int doc, int owner) throws IOException {
        if (!numbers.advance(doc)) {
          return;
        }
        long previous = Long.MIN_VALUE;
        for (int left = numbers.count(); left > 0; left--) {
          long key = prepared.round(numbers.whole());
          if (key == previous || !within(key)) {
            continue;
          }
          previous = key;
          if (key != lastKey || owner != lastOwner) {
            lastBucket = keys.add(owner, key);
            lastKey = key;
            lastOwner = owner;
          }
          counts.add(lastBucket, 1);
          inner.collect(doc, lastBucket);
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
    Rounding.Prepared prepared = DateRounding.prepared(rounding, values, leaf);
    counter.count(
        new PointCounter.Buckets() {
          @Override
          public long key(long bits) {
            return prepared.round(bits);
          }

          @Override
          public void add(long key, long count) {
            if (within(key)) {
              counts.add(keys.add(0, key), count);
            }
          }
        });
    return true;
  }

  private boolean within(long key) {
    return (ends.hardFrom == null || key >= ends.hardFrom)
        && (ends.hardTo == null || key < ends.hardTo);
  }

  @Override
  public HistogramPartial build(int owner) throws IOException {
    List<HistogramPartial.Bucket> buckets = new ArrayList<>();
    for (int bucket : keys.of(owner)) {
      buckets.add(
          new HistogramPartial.Bucket(
              keys.key(bucket), counts.get(bucket), children.build(bucket)));
    }
    buckets.sort((a, b) -> Long.compare((Long) a.key(), (Long) b.key()));
    return partial(buckets);
  }

  private HistogramPartial partial(List<HistogramPartial.Bucket> buckets) {
    return new HistogramPartial(
        values.format(),
        buckets,
        ends.from == null ? null : (Long) rounding.round(ends.from),
        ends.to == null ? null : (Long) rounding.round(ends.to),
        children.empty());
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
