package io.varve.engine.search;

import io.varve.search.query.SortKey.Mode;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.ArrayUtil;

/** A number computed from all values of a document. */
abstract class ComputedNumbers extends NumericDocValues {

  private final SortedNumericDocValues values;
  private final Mode mode;

  private ComputedNumbers(SortedNumericDocValues values, Mode mode) {
    this.values = values;
    this.mode = mode;
  }

  /** Receives the {@code index}th value of the document. */
  abstract void take(int index, long value);

  /** Sorts the received values. */
  abstract void sort(int count);

  /** The bits of the value at an index in sorted order. */
  abstract long at(int index);

  abstract long sum(int count);

  abstract long average(int count);

  /** The midpoint of two neighbouring values. */
  abstract long between(int index, int next);

  @Override
  public final long longValue() throws IOException {
    int count = values.docValueCount();
    for (int i = 0; i < count; i++) {
      take(i, values.nextValue());
    }
    sort(count);
    int middle = count / 2;
    return switch (mode) {
      case MIN -> at(0);
      case MAX -> at(count - 1);
      case SUM -> sum(count);
      case AVG -> average(count);
      case MEDIAN -> count % 2 == 1 ? at(middle) : between(middle - 1, middle);
    };
  }

  @Override
  public final boolean advanceExact(int target) throws IOException {
    return values.advanceExact(target);
  }

  @Override
  public final int docID() {
    return values.docID();
  }

  @Override
  public final int nextDoc() throws IOException {
    return values.nextDoc();
  }

  @Override
  public final int advance(int target) throws IOException {
    return values.advance(target);
  }

  @Override
  public final long cost() {
    return values.cost();
  }

  /** Integers. */
  static class Integers extends ComputedNumbers {
    private final LongUnaryOperator reading;
    private long[] all = new long[8];

    Integers(SortedNumericDocValues values, LongUnaryOperator reading, Mode mode) {
      super(values, mode);
      this.reading = reading;
    }

    @Override
    final void take(int index, long value) {
      all = ArrayUtil.grow(all, index + 1);
      all[index] = reading.applyAsLong(value);
    }

    @Override
    final void sort(int count) {
      Arrays.sort(all, 0, count);
    }

    @Override
    final long at(int index) {
      return all[index];
    }

    @Override
    long sum(int count) {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += all[i];
      }
      return sum;
    }

    @Override
    long average(int count) {
      return Math.round((double) sum(count) / count);
    }

    @Override
    long between(int index, int next) {
      return Math.round((all[index] + (double) all[next]) / 2);
    }
  }

  /**
   * Integers from 0 to 2^64 - 1, stored with flipped sign bit so that they compare as signed ones.
   * Sums wrap around as in unsigned arithmetic.
   */
  static final class Unsigned extends Integers {
    Unsigned(SortedNumericDocValues values, Mode mode) {
      super(values, LongUnaryOperator.identity(), mode);
    }

    @Override
    long sum(int count) {
      return unsignedSum(count) ^ Long.MIN_VALUE;
    }

    private long unsignedSum(int count) {
      long sum = 0;
      for (int i = 0; i < count; i++) {
        sum += at(i) ^ Long.MIN_VALUE;
      }
      return sum;
    }

    @Override
    long average(int count) {
      return share(unsignedSum(count), count) ^ Long.MIN_VALUE;
    }

    @Override
    long between(int index, int next) {
      // The flipped sign bits cancel out in the sum of two.
      return share(at(index) + at(next), 2) ^ Long.MIN_VALUE;
    }

    /** Rounds half up. */
    private static long share(long sum, int count) {
      long share = Long.divideUnsigned(sum, count);
      long rest = Long.remainderUnsigned(sum, count);
      return rest * 2 >= count ? share + 1 : share;
    }
  }

  /** Doubles, given as their sortable bits. */
  static final class Decimal extends ComputedNumbers {
    private final LongToDoubleFunction reading;
    private double[] all = new double[8];
    private double sum;

    Decimal(SortedNumericDocValues values, LongToDoubleFunction reading, Mode mode) {
      super(values, mode);
      this.reading = reading;
    }

    @Override
    void take(int index, long value) {
      all = ArrayUtil.grow(all, index + 1);
      all[index] = reading.applyAsDouble(value);
      sum = index == 0 ? all[0] : sum + all[index];
    }

    @Override
    void sort(int count) {
      Arrays.sort(all, 0, count);
    }

    @Override
    long at(int index) {
      return Double.doubleToRawLongBits(all[index]);
    }

    @Override
    long sum(int count) {
      return Double.doubleToRawLongBits(sum);
    }

    @Override
    long average(int count) {
      return Double.doubleToRawLongBits(sum / count);
    }

    @Override
    long between(int index, int next) {
      return Double.doubleToRawLongBits((all[index] + all[next]) / 2);
    }
  }
}
