package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.partial.NumbersPartial;
import io.varve.search.aggregation.partial.Sum;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;

/** Computes {@code value_count}: counts values of any type. */
final class CountAggregator implements Aggregator {

  private final FieldValues values;
  private final LongCells counts;

  CountAggregator(FieldValues values, MemoryAccount memory) {
    this.values = values;
    this.counts = new LongCells(memory);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    if (values.kind().isNumber()) {
      Numbers numbers = values.numbers(leaf);
      return (doc, bucket) -> {
        if (numbers.advance(doc)) {
          counts.add(bucket, numbers.count());
        }
      };
    }
    int otherwise = values.missing() == null ? 0 : 1;
    if (values.isUnmapped()) {
      return (doc, bucket) -> counts.add(bucket, otherwise);
    }
    if (values.kind() == FieldValues.Kind.POINT && values.field() != null) {
      SortedNumericDocValues points =
          DocValues.getSortedNumeric(leaf.reader(), values.field().path());
      return (doc, bucket) ->
          counts.add(bucket, points.advanceExact(doc) ? points.docValueCount() : otherwise);
    }
    SortedSetDocValues ordinals = values.ordinals(leaf);
    return (doc, bucket) ->
        counts.add(bucket, ordinals.advanceExact(doc) ? ordinals.docValueCount() : otherwise);
  }

  @Override
  public boolean countWhole(LeafReaderContext leaf, LeafMatch match) throws IOException {
    PointValues points = SegmentStatistics.points(values, leaf, match);
    if (points == null) {
      return false;
    }
    counts.add(0, points.size());
    return true;
  }

  @Override
  public NumbersPartial build(int bucket) {
    return of(counts.get(bucket));
  }

  @Override
  public NumbersPartial empty() {
    return of(0);
  }

  private static NumbersPartial of(long count) {
    return new NumbersPartial(
        Formats.RAW, count, Sum.ZERO, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Sum.ZERO);
  }
}
