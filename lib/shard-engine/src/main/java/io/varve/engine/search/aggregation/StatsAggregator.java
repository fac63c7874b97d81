package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.NumbersPartial;
import io.varve.search.aggregation.partial.Sum;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;

/**
 * Computes the count and, if requested, the sum, the minimum and maximum, and the sum of squares.
 */
final class StatsAggregator implements Aggregator {

  /** The values required besides the count. */
  record Wanted(boolean sum, boolean ends, boolean squares) {}

  private final FieldValues values;
  private final Wanted wanted;
  private final LongCells counts;
  private final DoubleCells sums;
  private final DoubleCells lost;
  private final DoubleCells mins;
  private final DoubleCells maxes;
  private final DoubleCells squares;
  private final DoubleCells squaresLost;

  StatsAggregator(FieldValues values, Wanted wanted, MemoryAccount memory) {
    this.values = values;
    this.wanted = wanted;
    this.counts = new LongCells(memory);
    this.sums = new DoubleCells(memory, 0);
    this.lost = new DoubleCells(memory, 0);
    this.mins = new DoubleCells(memory, Double.POSITIVE_INFINITY);
    this.maxes = new DoubleCells(memory, Double.NEGATIVE_INFINITY);
    this.squares = new DoubleCells(memory, 0);
    this.squaresLost = new DoubleCells(memory, 0);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    DenseNumbers dense = DenseNumbers.of(values, leaf);
    return new LeafBuckets() {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        if (numbers.advance(doc)) {
          int count = numbers.count();
          counts.add(bucket, count);
          for (int i = 0; i < count; i++) {
            add(bucket, numbers.decimal());
          }
        }
      }

      @Override
      public void collectAll(int[] docs, int[] buckets, int size) throws IOException {
        if (dense == null) {
          LeafBuckets.super.collectAll(docs, buckets, size);
        } else {
          addAll(dense.decimals(docs, size), buckets, size);
        }
      }
    };
  }

  /** Equivalent to adding the values one by one, but with direct access to each array. */
  private void addAll(double[] decimals, int[] buckets, int size) {
    int last = 0;
    for (int i = 0; i < size; i++) {
      last = Math.max(last, buckets[i]);
    }
    if (last >= CellPages.SIZE) {
      for (int i = 0; i < size; i++) {
        counts.add(buckets[i], 1);
        add(buckets[i], decimals[i]);
      }
      return;
    }
    long[] count = counts.upTo(last);
    for (int i = 0; i < size; i++) {
      count[buckets[i]]++;
    }
    if (wanted.sum) {
      plusAll(sums.upTo(last), lost.upTo(last), decimals, buckets, size);
    }
    if (wanted.ends) {
      double[] min = mins.upTo(last);
      double[] max = maxes.upTo(last);
      for (int i = 0; i < size; i++) {
        int bucket = buckets[i];
        double value = decimals[i];
        if (value < min[bucket]) {
          min[bucket] = value;
        }
        if (value > max[bucket]) {
          max[bucket] = value;
        }
      }
    }
    if (wanted.squares) {
      for (int i = 0; i < size; i++) {
        plus(squares, squaresLost, buckets[i], decimals[i] * decimals[i]);
      }
    }
  }

  private static void plusAll(
      double[] sums, double[] lost, double[] decimals, int[] buckets, int size) {
    for (int i = 0; i < size; i++) {
      int bucket = buckets[i];
      double corrected = decimals[i] + lost[bucket];
      double updated = sums[bucket] + corrected;
      lost[bucket] = Double.isFinite(updated) ? corrected - (updated - sums[bucket]) : 0;
      sums[bucket] = updated;
    }
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointValues points =
        wanted.sum || wanted.squares ? null : SegmentStatistics.points(values, leaf, match);
    if (points == null) {
      return false;
    }
    counts.add(0, points.size());
    add(0, values.decode(PointCounter.bits(points.getMinPackedValue())));
    add(0, values.decode(PointCounter.bits(points.getMaxPackedValue())));
    return true;
  }

  private void add(int bucket, double value) {
    if (wanted.sum) {
      plus(sums, lost, bucket, value);
    }
    if (wanted.ends) {
      if (value < mins.get(bucket)) {
        mins.set(bucket, value);
      }
      if (value > maxes.get(bucket)) {
        maxes.set(bucket, value);
      }
    }
    if (wanted.squares) {
      plus(squares, squaresLost, bucket, value * value);
    }
  }

  /** Kahan summation, as in {@link Sum}. */
  private static void plus(DoubleCells sums, DoubleCells lost, int bucket, double value) {
    double sum = sums.get(bucket);
    double corrected = value + lost.get(bucket);
    double updated = sum + corrected;
    sums.set(bucket, updated);
    if (Double.isFinite(updated)) {
      lost.set(bucket, corrected - (updated - sum));
    } else {
      lost.set(bucket, 0);
    }
  }

  @Override
  public NumbersPartial build(int bucket) {
    return new NumbersPartial(
        format(),
        counts.get(bucket),
        new Sum(sums.get(bucket), lost.get(bucket)),
        mins.get(bucket),
        maxes.get(bucket),
        new Sum(squares.get(bucket), squaresLost.get(bucket)));
  }

  private ValueFormat format() {
    return values.format();
  }

  @Override
  public NumbersPartial empty() {
    return new NumbersPartial(
        format(), 0, Sum.ZERO, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Sum.ZERO);
  }
}
