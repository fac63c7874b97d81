package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * The values of an aggregation.
 *
 * @param field null if unmapped
 * @param missing replaces missing values: Long, Double, BytesRef or GeoPoint; null to ignore them
 * @param own bytes that are not in doc values; null for the field's doc values
 */
record FieldValues(
    FieldSource source,
    @Nullable LeafField field,
    Kind kind,
    ValueFormat format,
    @Nullable Object missing,
    @Nullable Ordinals own) {

  /** The ordinals of a segment. */
  interface Ordinals {
    SortedSetDocValues of(LeafReaderContext leaf) throws IOException;
  }

  /** Representation of values. */
  enum Kind {
    /** Integers, dates and booleans. */
    WHOLE,
    /** Nanoseconds, read as milliseconds. */
    NANOS,
    /** Unsigned integers with flipped sign bit, read as their bits. */
    UNSIGNED,
    DOUBLE_BITS,
    FLOAT_BITS,
    /** Floating-point numbers stored as integers, after multiplication by a factor. */
    SCALED,
    BYTES,
    POINT,
    /** Encoded bounds of ranges. */
    RANGE;

    boolean isNumber() {
      return this != BYTES && this != POINT && this != RANGE;
    }

    boolean isWhole() {
      return this == WHOLE || this == NANOS || this == UNSIGNED;
    }
  }

  /** Whether no document has a value and no replacement for missing values is given. */
  boolean isNothing() {
    return isUnmapped() && missing == null;
  }

  /** Whether no document has a value. */
  boolean isUnmapped() {
    return field == null && own == null;
  }

  Numbers numbers(LeafReaderContext leaf) throws IOException {
    if (field == null) {
      return missing == null ? Numbers.NONE : new Constant(this);
    }
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field.path());
    return missing == null
        ? new OfField(this, values)
        : new WithMissing(new OfField(this, values), this);
  }

  /** The ordinals of a field of bytes; missing values are not replaced. */
  SortedSetDocValues ordinals(LeafReaderContext leaf) throws IOException {
    if (own != null) {
      return own.of(leaf);
    }
    return field == null
        ? DocValues.emptySortedSet()
        : DocValues.getSortedSet(leaf.reader(), field.path());
  }

  @Nullable BytesRef missingBytes() {
    return missing instanceof BytesRef bytes ? bytes : null;
  }

  double decode(long raw) {
    return switch (kind) {
      case DOUBLE_BITS -> NumericUtils.sortableLongToDouble(raw);
      case FLOAT_BITS -> NumericUtils.sortableIntToFloat((int) raw);
      case SCALED -> field == null ? raw : raw / field.scalingFactor();
      case UNSIGNED -> unsigned(raw ^ Long.MIN_VALUE);
      case NANOS -> millis(raw);
      default -> raw;
    };
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : (bits >>> 1) * 2.0 + (bits & 1);
  }

  static long millis(long nanos) {
    return Math.floorDiv(nanos, 1_000_000L);
  }

  private static final class OfField implements Numbers {
    private final FieldValues of;
    private final SortedNumericDocValues values;

    OfField(FieldValues of, SortedNumericDocValues values) {
      this.of = of;
      this.values = values;
    }

    @Override
    public boolean advance(int doc) throws IOException {
      return values.advanceExact(doc);
    }

    @Override
    public int count() {
      return values.docValueCount();
    }

    @Override
    public long whole() throws IOException {
      long raw = values.nextValue();
      return switch (of.kind) {
        case UNSIGNED -> raw ^ Long.MIN_VALUE;
        case NANOS -> millis(raw);
        default -> raw;
      };
    }

    @Override
    public double decimal() throws IOException {
      return of.decode(values.nextValue());
    }
  }

  /** The replacement of missing values, for each document. */
  private record Constant(FieldValues of) implements Numbers {
    @Override
    public boolean advance(int doc) {
      return true;
    }

    @Override
    public int count() {
      return 1;
    }

    @Override
    public long whole() {
      return of.missing instanceof Number number ? number.longValue() : 0;
    }

    @Override
    public double decimal() {
      return of.missing instanceof Number number
          ? (of.kind == Kind.UNSIGNED ? unsigned(number.longValue()) : number.doubleValue())
          : 0;
    }
  }

  private static final class WithMissing implements Numbers {
    private final Numbers values;
    private final Constant otherwise;
    private Numbers current;

    WithMissing(Numbers values, FieldValues of) {
      this.values = values;
      this.otherwise = new Constant(of);
      this.current = values;
    }

    @Override
    public boolean advance(int doc) throws IOException {
      current = values.advance(doc) ? values : otherwise;
      return true;
    }

    @Override
    public int count() {
      return current.count();
    }

    @Override
    public long whole() throws IOException {
      return current.whole();
    }

    @Override
    public double decimal() throws IOException {
      return current.decimal();
    }
  }
}
