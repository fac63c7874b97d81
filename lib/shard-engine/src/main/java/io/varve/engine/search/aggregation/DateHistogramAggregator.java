package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.DateHistogram;
import io.varve.search.aggregation.partial.HistogramPartial;
import io.varve.search.aggregation.rounding.Rounding;
import java.io.IOException;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Computes a date histogram with a given interval. */
final class DateHistogramAggregator extends IntervalAggregator {

  /**
   * Bounds in milliseconds, null if unbounded.
   *
   * @param hardFrom no bucket before it
   * @param hardTo no bucket after it
   */
  record Ends(
      @Nullable Long from, @Nullable Long to, @Nullable Long hardFrom, @Nullable Long hardTo) {}

  private final Rounding rounding;
  private final Ends ends;

  DateHistogramAggregator(
      FieldValues values,
      DateHistogram request,
      Ends ends,
      Children children,
      AggregationContext context) {
    super(values, children, context);
    this.rounding = DateRounding.of(request);
    this.ends = ends;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets ranges = ranges(leaf, new Steps(), LongUnaryOperator.identity());
    if (ranges != null) {
      return ranges;
    }
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    Rounding.Prepared prepared = DateRounding.prepared(rounding, values, leaf);
    return new DelegatingLeafBuckets(inner) {
      private long lastKey = Long.MIN_VALUE;
      private int lastOwner = -1;
      private int lastBucket;

      @Override
      public void collect(int doc, int owner) throws IOException {
        long previous = Long.MIN_VALUE;
        for (int left = numbers.load(doc); left > 0; left--) {
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

  /** Iterates interval starts; skips what is outside the hard bounds. */
  private final class Steps implements RangeSteps.Steps {
    @Override
    public long first(Object from) {
      long start = (Long) from;
      return rounded(ends.hardFrom == null ? start : Math.max(ends.hardFrom, start));
    }

    @Override
    public long last(Object to) {
      long end = (Long) to;
      return rounded(ends.hardTo == null ? end : Math.min(ends.hardTo, end));
    }

    /**
     * Rounds the end of a range. An unbounded end is refused unless hard bounds limit it, since it
     * can't be rounded.
     */
    private long rounded(long millis) {
      if (millis == Long.MIN_VALUE || millis == Long.MAX_VALUE) {
        throw FieldResolver.illegal(
            "A range without an end would be counted in an unlimited number of buckets: set"
                + " [hard_bounds]");
      }
      return rounding.round(millis);
    }

    @Override
    public long next(long key) {
      return rounding.next(key);
    }
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointCounter counter = counter(leaf, match);
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
    return partial(intervals(owner, Long::valueOf));
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
}
