package io.varve.engine.search.aggregation;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.Values;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.util.BytesRef;

/** Converts values of a request to the representation of fields. */
final class RequestValues {

  private final long nowMillis;

  RequestValues(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** Converts a value of the request for an unmapped field. */
  Object assumed(FieldSource source, Object given, Kind kind, ValueFormat format) {
    if (format instanceof ValueFormat.Dates dates) {
      return date(DateFormat.of(dates.pattern()), source, given);
    }
    if (format instanceof ValueFormat.Truth) {
      return Values.truth(given) ? 1L : 0L;
    }
    return switch (kind) {
      case WHOLE -> Values.whole(FieldType.LONG, given);
      case UNSIGNED -> Long.parseUnsignedLong(given.toString());
      case BYTES ->
          format instanceof ValueFormat.Address
              ? new BytesRef(InetAddressPoint.encode(MappedFields.address(given.toString())))
              : new BytesRef(given.toString());
      case POINT -> GeoPoint.parse(given);
      default -> Values.decimal(FieldType.DOUBLE, given);
    };
  }

  /** Converts a value of the request. */
  Object value(FieldSource source, LeafField field, Kind kind, Object given) {
    return switch (field.type()) {
      case UNSIGNED_LONG -> Values.sortable(Values.unsigned(given)) ^ Long.MIN_VALUE;
      case DATE, DATE_NANOS ->
          date(
              source.format() == null ? field.dateFormat() : DateFormat.of(source.format()),
              source,
              given);
      case BOOLEAN ->
          given instanceof Number number
              ? (Long) (number.longValue() == 0 ? 0L : 1L)
              : (Long) (Values.truth(given) ? 1L : 0L);
      case KEYWORD, WILDCARD -> MappedFields.keywordTerm(field, given.toString());
      case TEXT, MATCH_ONLY_TEXT, CONSTANT_KEYWORD -> new BytesRef(given.toString());
      case IP -> new BytesRef(InetAddressPoint.encode(MappedFields.address(given.toString())));
      case GEO_POINT -> GeoPoint.parse(given);
      default ->
          kind.isWhole()
              ? (Object) Values.whole(FieldType.LONG, given)
              : (Object) Values.decimal(FieldType.DOUBLE, given);
    };
  }

  /** Converts a value of the request to a key: Long, a Double's bits as a Long, or BytesRef. */
  Object key(FieldValues values, Object given) {
    LeafField field = values.field();
    Object value;
    try {
      value =
          field == null
              ? assumed(values.source(), given, values.kind(), values.format())
              : value(values.source(), field, values.kind(), given);
    } catch (NumberFormatException e) {
      throw FieldResolver.illegal(String.valueOf(e.getMessage()));
    }
    return value instanceof Double decimal ? (Object) Double.doubleToLongBits(decimal) : value;
  }

  private Long date(DateFormat format, FieldSource source, Object given) {
    if (given instanceof Long millis) {
      return millis;
    }
    if (given instanceof Double millis) {
      return (long) (double) millis;
    }
    ZoneId zone = source.zone() == null ? ZoneOffset.UTC : source.zone();
    return new DateMath(format, nowMillis, zone).millis(given.toString(), false);
  }
}
