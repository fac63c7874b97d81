package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;

/**
 * Translates ranges of numbers to closed ranges of the values that the field stores.
 *
 * <pre>
 *   integers         ⌈from⌉ … ⌊to⌋, adjusted by one for an excluded integer bound;
 *                    computed in decimals, because a double can't represent all longs
 *   unsigned long    the same from 0 to 2^64 - 1, then mapped to signed order
 *   scaled float     ⌈from · factor⌉ … ⌊to · factor⌋
 *   float, double    from … to, or the next representable number for an excluded bound
 * </pre>
 *
 * A range outside the type's values matches nothing; one that extends beyond them is clipped. It is
 * evaluated by points, by doc values, or by whichever is cheaper given the rest of the query.
 */
final class NumberRanges {

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final BigDecimal UNSIGNED_MAX =
      new BigDecimal(BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE));

  private NumberRanges() {}

  static Query wholes(LeafField field, Range range, long least, long greatest) {
    BigDecimal lower = LONG_MIN;
    BigDecimal upper = LONG_MAX;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      BigDecimal exact = exact(from.value());
      BigDecimal whole = exact.setScale(0, RoundingMode.CEILING);
      lower = whole.compareTo(exact) == 0 && !from.inclusive() ? whole.add(BigDecimal.ONE) : whole;
    }
    if (to != null) {
      BigDecimal exact = exact(to.value());
      BigDecimal whole = exact.setScale(0, RoundingMode.FLOOR);
      upper =
          whole.compareTo(exact) == 0 && !to.inclusive() ? whole.subtract(BigDecimal.ONE) : whole;
    }
    if (lower.compareTo(BigDecimal.valueOf(greatest)) > 0
        || upper.compareTo(BigDecimal.valueOf(least)) < 0) {
      return new MatchNoDocsQuery("the range is outside the values of the field's type");
    }
    long low = lower.max(BigDecimal.valueOf(least)).longValueExact();
    long high = upper.min(BigDecimal.valueOf(greatest)).longValueExact();
    return field.type() == FieldType.LONG
        ? longs(field, low, high)
        : ints(field, (int) low, (int) high);
  }

  private static BigDecimal exact(Object value) {
    if (value instanceof Long whole) {
      return BigDecimal.valueOf(whole);
    }
    if (value instanceof BigInteger whole) {
      return new BigDecimal(whole);
    }
    double number = Values.decimal(FieldType.DOUBLE, value);
    try {
      BigDecimal exact = new BigDecimal(value.toString().strip());
      // Exact arithmetic with such exponents would be expensive, and the double is equivalent.
      return Math.abs(exact.scale()) > 400 ? new BigDecimal(number) : exact;
    } catch (NumberFormatException e) {
      return new BigDecimal(number);
    }
  }

  static Query unsigned(LeafField field, Range range) {
    BigDecimal lower = BigDecimal.ZERO;
    BigDecimal upper = UNSIGNED_MAX;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      BigDecimal exact = exact(from.value());
      BigDecimal whole = exact.setScale(0, RoundingMode.CEILING);
      boolean next = whole.compareTo(exact) == 0 && !from.inclusive();
      lower = lower.max(next ? whole.add(BigDecimal.ONE) : whole);
    }
    if (to != null) {
      BigDecimal exact = exact(to.value());
      BigDecimal whole = exact.setScale(0, RoundingMode.FLOOR);
      boolean next = whole.compareTo(exact) == 0 && !to.inclusive();
      upper = upper.min(next ? whole.subtract(BigDecimal.ONE) : whole);
    }
    if (lower.compareTo(upper) > 0) {
      return new MatchNoDocsQuery("an empty range");
    }
    return longs(
        field,
        Values.sortable(lower.toBigIntegerExact()),
        Values.sortable(upper.toBigIntegerExact()));
  }

  static Query scaled(LeafField field, Range range) {
    double factor = field.scalingFactor();
    long lower = Long.MIN_VALUE;
    long upper = Long.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      double value = Values.decimal(field.type(), from.value()) * factor;
      lower = Math.round(Math.ceil(from.inclusive() ? value : Math.nextUp(value)));
    }
    if (to != null) {
      double value = Values.decimal(field.type(), to.value()) * factor;
      upper = Math.round(Math.floor(to.inclusive() ? value : Math.nextDown(value)));
    }
    return longs(field, lower, upper);
  }

  static Query doubles(LeafField field, Range range) {
    double lower = Double.NEGATIVE_INFINITY;
    double upper = Double.POSITIVE_INFINITY;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      double value = Values.decimal(field.type(), from.value());
      lower = from.inclusive() ? value : Math.nextUp(value);
    }
    if (to != null) {
      double value = Values.decimal(field.type(), to.value());
      upper = to.inclusive() ? value : Math.nextDown(value);
    }
    if (lower > upper) {
      return new MatchNoDocsQuery("an empty range");
    }
    return either(
        field,
        DoublePoint.newRangeQuery(field.path(), lower, upper),
        NumericUtils.doubleToSortableLong(lower),
        NumericUtils.doubleToSortableLong(upper));
  }

  static Query floats(LeafField field, Range range) {
    float lower = Float.NEGATIVE_INFINITY;
    float upper = Float.POSITIVE_INFINITY;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      float value = (float) Values.decimal(FieldType.DOUBLE, from.value());
      lower = from.inclusive() ? value : Math.nextUp(value);
    }
    if (to != null) {
      float value = (float) Values.decimal(FieldType.DOUBLE, to.value());
      upper = to.inclusive() ? value : Math.nextDown(value);
    }
    if (lower > upper) {
      return new MatchNoDocsQuery("an empty range");
    }
    return either(
        field,
        FloatPoint.newRangeQuery(field.path(), lower, upper),
        NumericUtils.floatToSortableInt(lower),
        NumericUtils.floatToSortableInt(upper));
  }

  static Query longs(LeafField field, long lower, long upper) {
    if (lower > upper) {
      return new MatchNoDocsQuery("an empty range");
    }
    return either(field, LongPoint.newRangeQuery(field.path(), lower, upper), lower, upper);
  }

  static Query ints(LeafField field, int lower, int upper) {
    if (lower > upper) {
      return new MatchNoDocsQuery("an empty range");
    }
    return either(field, IntPoint.newRangeQuery(field.path(), lower, upper), lower, upper);
  }

  /** Uses points, doc values, or whichever is cheaper given the rest of the query. */
  private static Query either(LeafField field, Query byPoints, long lower, long upper) {
    if (!field.docValues()) {
      return byPoints;
    }
    Query byValues = SortedNumericDocValuesField.newSlowRangeQuery(field.path(), lower, upper);
    return field.indexed() ? new IndexOrDocValuesQuery(byPoints, byValues) : byValues;
  }
}
