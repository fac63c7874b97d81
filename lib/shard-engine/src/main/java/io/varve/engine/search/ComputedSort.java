package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.SortKey.Mode;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
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
 * Sorts by a number computed from a document's values: their sum, average or median, or each value
 * converted. Points don't contain such numbers, so no documents can be skipped.
 */
final class ComputedSort extends FieldComparatorSource {

  /** Converts doc values to the compared number. */
  sealed interface Reading {

    /** Integers. */
    record Longs(LongUnaryOperator reading) implements Reading {}

    /** Integers from 0 to 2^64 - 1, stored so that they compare as signed ones. */
    record Unsigned() implements Reading {}

    record Doubles(LongToDoubleFunction reading) implements Reading {}
  }

  /** Source of the documents' values. */
  @FunctionalInterface
  interface Values {
    SortedNumericDocValues of(LeafReaderContext leaf) throws IOException;
  }

  /**
   * @param path of the field
   */
  record Source(String path, Values values) {

    /** The values of the document itself. */
    static Source of(LeafField field) {
      return new Source(
          field.path(), leaf -> DocValues.getSortedNumeric(leaf.reader(), field.path()));
    }
  }

  private final Source source;
  private final Reading reading;
  private final Mode mode;
  private final Object missing;

  /**
   * @param missing a Long or a Double, matching the reading
   */
  ComputedSort(Source source, Reading reading, Mode mode, Object missing) {
    this.source = source;
    this.reading = reading;
    this.mode = mode;
    this.missing = missing;
  }

  boolean isWhole() {
    return !(reading instanceof Reading.Doubles);
  }

  @Override
  public FieldComparator<?> newComparator(
      String field, int hits, Pruning pruning, boolean reversed) {
    return switch (reading) {
      case Reading.Longs longs ->
          ofLongs(
              hits,
              field,
              reversed,
              values -> new ComputedNumbers.Integers(values, longs.reading(), mode));
      case Reading.Unsigned _ ->
          ofLongs(hits, field, reversed, values -> new ComputedNumbers.Unsigned(values, mode));
      case Reading.Doubles doubles ->
          new DoubleComparator(hits, field, (Double) missing, reversed, Pruning.NONE) {
            @Override
            public LeafFieldComparator getLeafComparator(LeafReaderContext leaf)
                throws IOException {
              return new DoubleLeafComparator(leaf) {
                @Override
                protected NumericDocValues getNumericDocValues(
                    LeafReaderContext context, String name) throws IOException {
                  return new ComputedNumbers.Decimal(
                      source.values().of(context), doubles.reading(), mode);
                }
              };
            }
          };
    };
  }

  private LongComparator ofLongs(
      int hits,
      String field,
      boolean reversed,
      Function<SortedNumericDocValues, NumericDocValues> computing) {
    return new LongComparator(hits, field, (Long) missing, reversed, Pruning.NONE) {
      @Override
      public LeafFieldComparator getLeafComparator(LeafReaderContext leaf) throws IOException {
        return new LongLeafComparator(leaf) {
          @Override
          protected NumericDocValues getNumericDocValues(LeafReaderContext context, String name)
              throws IOException {
            return computing.apply(source.values().of(context));
          }
        };
      }
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ComputedSort sort
        && source.equals(sort.source)
        && reading.equals(sort.reading)
        && mode == sort.mode
        && missing.equals(sort.missing);
  }

  @Override
  public int hashCode() {
    return Objects.hash(source, reading, mode, missing);
  }
}
