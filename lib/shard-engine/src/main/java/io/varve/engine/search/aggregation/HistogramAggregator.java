package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Bounds;
import io.varve.search.aggregation.partial.HistogramPartial;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Computes a histogram with a given interval. */
final class HistogramAggregator extends IntervalAggregator {

  private final BucketAggregation.Histogram request;
  private final MemoryAccount memory;

  HistogramAggregator(
      FieldValues values,
      BucketAggregation.Histogram request,
      Children children,
      AggregationContext context) {
    super(values, children, context);
    this.request = request;
    this.memory = context.memory();
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    LeafBuckets ranges =
        ranges(leaf, new Steps(), index -> Double.doubleToLongBits((double) index));
    if (ranges != null) {
      return ranges;
    }
    Numbers numbers = values.numbers(leaf);
    LeafBuckets inner = children.leaf(leaf);
    double interval = request.interval();
    double offset = request.offset();
    DenseNumbers dense = request.hard() == null ? DenseNumbers.of(values, leaf) : null;
    Table table = dense == null ? null : table(dense);
    return new DelegatingLeafBuckets(inner) {
      private final int[] own = new int[table == null ? 0 : LeafBuckets.BATCH];

      @Override
      public void collectAll(int[] docs, int[] owners, int size) throws IOException {
        if (table == null || dense == null || !isFirst(owners, size)) {
          super.collectAll(docs, owners, size);
          return;
        }
        table.count(dense.decimals(docs, size), own, size);
        inner.collectAll(docs, own, size);
      }

      @Override
      public void finish() throws IOException {
        if (table != null) {
          table.release();
        }
        super.finish();
      }

      @Override
      public void collect(int doc, int owner) throws IOException {
        double previous = Double.NaN;
        for (int left = numbers.load(doc); left > 0; left--) {
          double index = Math.floor((numbers.decimal() - offset) / interval);
          if (index != previous && within(index * interval + offset)) {
            previous = index;
            inner.collect(doc, count(owner, Double.doubleToLongBits(index == 0 ? 0.0 : index)));
          }
        }
      }
    };
  }

  private double index(double value) {
    return Math.floor((value - request.offset()) / request.interval());
  }

  /** Null if the values of a segment span too many intervals. */
  private @Nullable Table table(DenseNumbers dense) throws IOException {
    double first = index(dense.least());
    double intervals = index(dense.greatest()) - first + 1;
    return intervals <= Table.MOST ? new Table(first, (int) intervals) : null;
  }

  /** The buckets of a segment's intervals, within the first bucket of the parent. */
  private final class Table {
    static final int MOST = 1 << 16;

    private final double first;
    // Bucket + 1; 0 means none yet.
    private final int[] buckets;

    Table(double first, int intervals) {
      this.first = first;
      this.buckets = memory.allocate(intervals * 4L, () -> new int[intervals]);
    }

    void count(double[] numbers, int[] into, int size) {
      double interval = request.interval();
      double offset = request.offset();
      for (int i = 0; i < size; i++) {
        into[i] = (int) (Math.floor((numbers[i] - offset) / interval) - first);
      }
      for (int i = 0; i < size; i++) {
        int known = buckets[into[i]];
        if (known == 0) {
          double index = first + into[i];
          known = keys.add(0, Double.doubleToLongBits(index == 0 ? 0.0 : index)) + 1;
          buckets[into[i]] = known;
        }
        into[i] = known - 1;
        counts.add(known - 1, 1);
      }
    }

    void release() {
      memory.charge(-buckets.length * 4L);
    }
  }

  /** Iterates interval indices; skips what is outside the hard bounds. */
  private final class Steps implements RangeSteps.Steps {
    @Override
    public long first(Object from) {
      Bounds hard = request.hard();
      double least = hard == null || hard.min() == null ? Double.NEGATIVE_INFINITY : hard.min();
      return index(Math.max(least, ((Number) from).doubleValue()));
    }

    @Override
    public long last(Object to) {
      Bounds hard = request.hard();
      double most = hard == null || hard.max() == null ? Double.POSITIVE_INFINITY : hard.max();
      return index(Math.min(most, ((Number) to).doubleValue()));
    }

    @Override
    public long next(long key) {
      return key + 1;
    }

    private long index(double value) {
      return (long) Math.floor((value - request.offset()) / request.interval());
    }
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointCounter counter = counter(leaf, match);
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
    return partial(
        intervals(
            owner, key -> Double.longBitsToDouble(key) * request.interval() + request.offset()));
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
}
