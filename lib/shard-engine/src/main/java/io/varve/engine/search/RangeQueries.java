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
import java.net.InetAddress;
import java.time.ZoneOffset;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;

/**
 * Translates range queries on fields of every type. Bounds are converted to the closed range of
 * values that the field can represent: a bound between two values is replaced by the neighbouring
 * value inside the range; a bound beyond all values is clipped, or the query matches nothing. This
 * class covers terms, booleans, addresses and range fields; {@link NumberRanges} and {@link
 * DateRanges} cover numbers and dates.
 */
final class RangeQueries {

  private final long nowMillis;
  private final DateRanges dates;

  RangeQueries(long nowMillis) {
    this.nowMillis = nowMillis;
    this.dates = new DateRanges(nowMillis);
  }

  Query of(LeafField field, Range range) {
    return switch (field.type()) {
      case TEXT, MATCH_ONLY_TEXT, KEYWORD, WILDCARD, FLAT_OBJECT -> terms(field, range);
      case CONSTANT_KEYWORD -> constant(field, range);
      case LONG -> NumberRanges.wholes(field, range, Long.MIN_VALUE, Long.MAX_VALUE);
      case INTEGER, TOKEN_COUNT ->
          NumberRanges.wholes(field, range, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case SHORT -> NumberRanges.wholes(field, range, Short.MIN_VALUE, Short.MAX_VALUE);
      case BYTE -> NumberRanges.wholes(field, range, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UNSIGNED_LONG -> NumberRanges.unsigned(field, range);
      case SCALED_FLOAT -> NumberRanges.scaled(field, range);
      case DOUBLE -> NumberRanges.doubles(field, range);
      case FLOAT, HALF_FLOAT -> NumberRanges.floats(field, range);
      case DATE -> dates.ofMillis(field, range);
      case DATE_NANOS -> dates.ofNanos(field, range);
      case IP -> addresses(field, range);
      case INTEGER_RANGE, LONG_RANGE, FLOAT_RANGE, DOUBLE_RANGE, DATE_RANGE, IP_RANGE ->
          ranges(field, range);
      case BOOLEAN -> booleans(field, range);
      case GEO_POINT, GEO_SHAPE, BINARY ->
          throw SearchErrors.illegal(
              "Field ["
                  + field.path()
                  + "] of type ["
                  + field.type().json()
                  + "] does not support range queries");
    };
  }

  /** False sorts before true. */
  private static Query booleans(LeafField field, Range range) {
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
            ? dates.math(field, range)
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
}
