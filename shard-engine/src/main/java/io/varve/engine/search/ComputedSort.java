package io.varve.engine.search;

import io.varve.search.SortKey.Mode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.LeafFieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.comparators.DoubleComparator;
import org.apache.lucene.search.comparators.LongComparator;
import org.jspecify.annotations.Nullable;

/**
 * Sorts by a number that is made of a document's values: their sum, average or median, or each of
 * them as another number. No segment's points know such numbers, so none are skipped.
 */
final class ComputedSort extends FieldComparatorSource {

  /** How a value of the doc values becomes the number that is compared. */
  sealed interface Reading {

    /** Whole numbers. */
    record Longs(LongUnaryOperator reading) implements Reading {}

    /** Decimals. */
    record Doubles(LongToDoubleFunction reading) implements Reading {}
  }

  private final String path;
  private final Reading reading;
  private final Mode mode;
  private final Object missing;

  /**
   * @param missing a Long or a Double, as the reading is
   */
  ComputedSort(String path, Reading reading, Mode mode, Object missing) {
    this.path = path;
    this.reading = reading;
    this.mode = mode;
    this.missing = missing;
  }

  boolean isWhole() {
    return reading instanceof Reading.Longs;
  }

  @Override
  public FieldComparator<?> newComparator(
      String field, int hits, Pruning pruning, boolean reversed) {
    return switch (reading) {
      case Reading.Longs longs ->
          new LongComparator(hits, field, (Long) missing, reversed, Pruning.NONE) {
            @Override
            public LeafFieldComparator getLeafComparator(LeafReaderContext leaf)
                throws IOException {
              return new LongLeafComparator(leaf) {
                @Override
                protected NumericDocValues getNumericDocValues(
                    LeafReaderContext context, String name) throws IOException {
                  return new Whole(values(context), longs.reading(), mode);
                }
              };
            }
          };
      case Reading.Doubles doubles ->
          new DoubleComparator(hits, field, (Double) missing, reversed, Pruning.NONE) {
            @Override
            public LeafFieldComparator getLeafComparator(LeafReaderContext leaf)
                throws IOException {
              return new DoubleLeafComparator(leaf) {
                @Override
                protected NumericDocValues getNumericDocValues(
                    LeafReaderContext context, String name) throws IOException {
                  return new Decimal(values(context), doubles.reading(), mode);
                }
              };
            }
          };
    };
  }

  private SortedNumericDocValues values(LeafReaderContext leaf) throws IOException {
    return DocValues.getSortedNumeric(leaf.reader(), path);
  }

  /** Goes over the documents that have values. */
  private abstract static class Computed extends NumericDocValues {
    final SortedNumericDocValues values;

    Computed(SortedNumericDocValues values) {
      this.values = values;
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      return values.advanceExact(target);
    }

    @Override
    public int docID() {
      return values.docID();
    }

    @Override
    public int nextDoc() throws IOException {
      return values.nextDoc();
    }

    @Override
    public int advance(int target) throws IOException {
      return values.advance(target);
    }

    @Override
    public long cost() {
      return values.cost();
    }
  }

  private static final class Whole extends Computed {
    private final LongUnaryOperator reading;
    private final Mode mode;

    Whole(SortedNumericDocValues values, LongUnaryOperator reading, Mode mode) {
      super(values);
      this.reading = reading;
      this.mode = mode;
    }

    @Override
    public long longValue() throws IOException {
      int count = values.docValueCount();
      long[] all = new long[count];
      long sum = 0;
      for (int i = 0; i < count; i++) {
        all[i] = reading.applyAsLong(values.nextValue());
        sum += all[i];
      }
      Arrays.sort(all);
      int middle = count / 2;
      return switch (mode) {
        case MIN -> all[0];
        case MAX -> all[count - 1];
        case SUM -> sum;
        case AVG -> Math.round((double) sum / count);
        case MEDIAN ->
            count % 2 == 1 ? all[middle] : Math.round((all[middle - 1] + (double) all[middle]) / 2);
      };
    }
  }

  private static final class Decimal extends Computed {
    private final LongToDoubleFunction reading;
    private final Mode mode;

    Decimal(SortedNumericDocValues values, LongToDoubleFunction reading, Mode mode) {
      super(values);
      this.reading = reading;
      this.mode = mode;
    }

    @Override
    public long longValue() throws IOException {
      int count = values.docValueCount();
      double[] all = new double[count];
      double sum = 0;
      for (int i = 0; i < count; i++) {
        all[i] = reading.applyAsDouble(values.nextValue());
        sum += all[i];
      }
      Arrays.sort(all);
      int middle = count / 2;
      return Double.doubleToRawLongBits(
          switch (mode) {
            case MIN -> all[0];
            case MAX -> all[count - 1];
            case SUM -> sum;
            case AVG -> sum / count;
            case MEDIAN -> count % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
          });
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ComputedSort sort
        && path.equals(sort.path)
        && reading.equals(sort.reading)
        && mode == sort.mode
        && missing.equals(sort.missing);
  }

  @Override
  public int hashCode() {
    return Objects.hash(path, reading, mode, missing);
  }
}
