package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.fields.RangeFields;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Ranges on fields of every type. Bounds are brought to the closed range of values that the field
 * can hold: one that lies between two values moves to the nearer one inside, one beyond all values
 * to the end or to nothing.
 */
final class RangeQueries {

  private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final BigDecimal UNSIGNED_MAX =
      new BigDecimal(BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE));
  private static final Instant LAST_NANO = DateFormat.ofNanos(Long.MAX_VALUE);

  private final long nowMillis;

  RangeQueries(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  Query of(LeafField field, Range range) {
    return switch (field.type()) {
      case TEXT, MATCH_ONLY_TEXT, KEYWORD, WILDCARD, FLAT_OBJECT -> terms(field, range);
      case CONSTANT_KEYWORD -> constant(field, range);
      case LONG -> wholes(field, range, Long.MIN_VALUE, Long.MAX_VALUE);
      case INTEGER, TOKEN_COUNT -> wholes(field, range, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case SHORT -> wholes(field, range, Short.MIN_VALUE, Short.MAX_VALUE);
      case BYTE -> wholes(field, range, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UNSIGNED_LONG -> unsigned(field, range);
      case SCALED_FLOAT -> scaled(field, range);
      case DOUBLE -> doubles(field, range);
      case FLOAT, HALF_FLOAT -> floats(field, range);
      case DATE -> dates(field, range);
      case DATE_NANOS -> nanos(field, range);
      case IP -> addresses(field, range);
      case INTEGER_RANGE, LONG_RANGE, FLOAT_RANGE, DOUBLE_RANGE, DATE_RANGE, IP_RANGE ->
          ranges(field, range);
      case BOOLEAN -> truths(field, range);
      case GEO_POINT, GEO_SHAPE, BINARY ->
          throw SearchErrors.illegal(
              "Field ["
                  + field.path()
                  + "] of type ["
                  + field.type().json()
                  + "] does not support range queries");
    };
  }

  /** False comes before true. */
  private static Query truths(LeafField field, Range range) {
    Bound from = range.from();
    Bound to = range.to();
    int lower = from == null ? 0 : bit(from) + (from.inclusive() ? 0 : 1);
    int upper = to == null ? 1 : bit(to) - (to.inclusive() ? 0 : 1);
    if (lower > upper) {
      return new MatchNoDocsQuery("an empty range");
    }
    if (field.docValues()) {
      return SortedNumericDocValuesField.newSlowRangeQuery(field.path(), lower, upper);
    }
    return new TermRangeQuery(
        field.path(),
        new BytesRef(lower == 0 ? MappedFields.FALSE_TERM : MappedFields.TRUE_TERM),
        new BytesRef(upper == 0 ? MappedFields.FALSE_TERM : MappedFields.TRUE_TERM),
        true,
        true);
  }

  private static int bit(Bound bound) {
    return Values.truth(bound.value()) ? 1 : 0;
  }

  private static Query terms(LeafField field, Range range) {
    Bound from = range.from();
    Bound to = range.to();
    BytesRef lower = from == null ? null : MappedFields.keywordTerm(field, from.value().toString());
    BytesRef upper = to == null ? null : MappedFields.keywordTerm(field, to.value().toString());
    boolean includeLower = from == null || from.inclusive();
    boolean includeUpper = to == null || to.inclusive();
    Query byTerms = new TermRangeQuery(field.path(), lower, upper, includeLower, includeUpper);
    if (!field.docValues()) {
      return byTerms;
    }
    Query byValues =
        SortedSetDocValuesField.newSlowRangeQuery(
            field.path(), lower, upper, includeLower, includeUpper);
    return field.indexed() ? new IndexOrDocValuesQuery(byTerms, byValues) : byValues;
  }

  private static Query wholes(LeafField field, Range range, long least, long greatest) {
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
      return new MatchNoDocsQuery("a range outside of what the field can hold");
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
      // Such a text is as good as its double: its digits would only cost time.
      return Math.abs(exact.scale()) > 400 ? new BigDecimal(number) : exact;
    } catch (NumberFormatException e) {
      return new BigDecimal(number);
    }
  }

  private static Query scaled(LeafField field, Range range) {
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

  private static Query doubles(LeafField field, Range range) {
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

  private static Query floats(LeafField field, Range range) {
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

  private DateMath math(LeafField field, Range range) {
    DateFormat format = field.dateFormat();
    String own = range.format();
    if (own != null) {
      try {
        format = DateFormat.of(own);
      } catch (IllegalArgumentException e) {
        throw SearchErrors.illegal(String.valueOf(e.getMessage()));
      }
    }
    return new DateMath(format, nowMillis, zone(range.timeZone()));
  }

  private Query dates(LeafField field, Range range) {
    DateMath math = math(field, range);
    long lower = Long.MIN_VALUE;
    long upper = Long.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      long value = math.millis(from.value().toString(), !from.inclusive());
      lower = from.inclusive() ? value : value + 1;
    }
    if (to != null) {
      long value = math.millis(to.value().toString(), to.inclusive());
      upper = to.inclusive() ? value : value - 1;
    }
    return longs(field, lower, upper);
  }

  private Query nanos(LeafField field, Range range) {
    DateMath math = math(field, range);
    long lower = 0;
    long upper = Long.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      Instant instant = math.instant(from.value().toString(), !from.inclusive());
      if (instant.isAfter(LAST_NANO)) {
        return new MatchNoDocsQuery("after the last nanosecond that counts");
      }
      lower = instant.isBefore(Instant.EPOCH) ? 0 : DateFormat.nanos(instant);
      lower = from.inclusive() || instant.isBefore(Instant.EPOCH) ? lower : lower + 1;
    }
    if (to != null) {
      Instant instant = math.instant(to.value().toString(), to.inclusive());
      if (instant.isBefore(Instant.EPOCH)) {
        return new MatchNoDocsQuery("before the first nanosecond that counts");
      }
      upper = instant.isAfter(LAST_NANO) ? Long.MAX_VALUE : DateFormat.nanos(instant);
      upper = to.inclusive() || instant.isAfter(LAST_NANO) ? upper : upper - 1;
    }
    return longs(field, lower, upper);
  }

  private static Query unsigned(LeafField field, Range range) {
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

  private static Query constant(LeafField field, Range range) {
    Bound from = range.from();
    Bound to = range.to();
    return ValueQueries.constant(
        field,
        value -> {
          int low = from == null ? 1 : value.compareTo(from.value().toString());
          int high = to == null ? -1 : value.compareTo(to.value().toString());
          return (low > 0 || (low == 0 && from.inclusive()))
              && (high < 0 || (high == 0 && to.inclusive()));
        });
  }

  private Query ranges(LeafField field, Range range) {
    Bound from = range.from();
    Bound to = range.to();
    DateMath math =
        field.type() == FieldType.DATE_RANGE
            ? math(field, range)
            : new DateMath(DateFormat.DEFAULT, nowMillis, ZoneOffset.UTC);
    return RangeFields.query(
        field,
        from == null ? null : from.value(),
        from == null || from.inclusive(),
        to == null ? null : to.value(),
        to == null || to.inclusive(),
        RangeFields.Relation.valueOf(range.relation().name()),
        math);
  }

  private static ZoneId zone(@Nullable String name) {
    if (name == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw SearchErrors.illegal("[range] failed to parse field [time_zone]: " + e.getMessage());
    }
  }

  private static Query addresses(LeafField field, Range range) {
    InetAddress lower = InetAddressPoint.MIN_VALUE;
    InetAddress upper = InetAddressPoint.MAX_VALUE;
    Bound from = range.from();
    Bound to = range.to();
    if (from != null) {
      lower = MappedFields.address(from.value().toString());
      if (!from.inclusive()) {
        if (lower.equals(InetAddressPoint.MAX_VALUE)) {
          return new MatchNoDocsQuery("nothing is above the last address");
        }
        lower = InetAddressPoint.nextUp(lower);
      }
    }
    if (to != null) {
      upper = MappedFields.address(to.value().toString());
      if (!to.inclusive()) {
        if (upper.equals(InetAddressPoint.MIN_VALUE)) {
          return new MatchNoDocsQuery("nothing is below the first address");
        }
        upper = InetAddressPoint.nextDown(upper);
      }
    }
    BytesRef low = new BytesRef(InetAddressPoint.encode(lower));
    BytesRef high = new BytesRef(InetAddressPoint.encode(upper));
    if (low.compareTo(high) > 0) {
      return new MatchNoDocsQuery("an empty range");
    }
    Query byPoints = InetAddressPoint.newRangeQuery(field.path(), lower, upper);
    if (!field.docValues()) {
      return byPoints;
    }
    Query byValues = SortedSetDocValuesField.newSlowRangeQuery(field.path(), low, high, true, true);
    return field.indexed() ? new IndexOrDocValuesQuery(byPoints, byValues) : byValues;
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

  /** By points, by doc values, or by whichever is cheaper for the rest of the query. */
  private static Query either(LeafField field, Query byPoints, long lower, long upper) {
    if (!field.docValues()) {
      return byPoints;
    }
    Query byValues = SortedNumericDocValuesField.newSlowRangeQuery(field.path(), lower, upper);
    return field.indexed() ? new IndexOrDocValuesQuery(byPoints, byValues) : byValues;
  }
}
