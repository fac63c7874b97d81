package io.varve.engine.search.aggregation;

import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/** The values of a segment in which each document has exactly one, read in batches. */
final class DenseNumbers {

  private final FieldValues values;
  private final NumericDocValues numbers;
  private final PointValues points;
  private final long[] raw = new long[LeafBuckets.BATCH];
  private final double[] decimals = new double[LeafBuckets.BATCH];

  private DenseNumbers(FieldValues values, NumericDocValues numbers, PointValues points) {
    this.values = values;
    this.numbers = numbers;
    this.points = points;
  }

  /** Null if a document may have several values or none. */
  static @Nullable DenseNumbers of(FieldValues values, LeafReaderContext leaf) throws IOException {
    LeafField field = values.field();
    if (field == null || !field.indexed() || !values.kind().isNumber()) {
      return null;
    }
    LeafReader reader = leaf.reader();
    PointValues points = reader.getPointValues(field.path());
    if (points == null
        || !PointCounter.isPlain(values, points)
        || points.getDocCount() != reader.maxDoc()
        || points.size() != reader.maxDoc()) {
      return null;
    }
    NumericDocValues numbers =
        DocValues.unwrapSingleton(DocValues.getSortedNumeric(reader, field.path()));
    return numbers == null ? null : new DenseNumbers(values, numbers, points);
  }

  double least() throws IOException {
    return values.decode(PointCounter.bits(points.getMinPackedValue()));
  }

  double greatest() throws IOException {
    return values.decode(PointCounter.bits(points.getMaxPackedValue()));
  }

  /** The values of several documents; valid until the next call. */
  double[] decimals(int[] docs, int size) throws IOException {
    numbers.longValues(size, docs, raw, 0);
    switch (values.kind()) {
      case SCALED -> {
        LeafField field = values.field();
        double factor = field == null ? 1 : field.scalingFactor();
        for (int i = 0; i < size; i++) {
          decimals[i] = raw[i] / factor;
        }
      }
      case DOUBLE_BITS -> {
        for (int i = 0; i < size; i++) {
          decimals[i] = NumericUtils.sortableLongToDouble(raw[i]);
        }
      }
      default -> {
        for (int i = 0; i < size; i++) {
          decimals[i] = values.decode(raw[i]);
        }
      }
    }
    return decimals;
  }
}
