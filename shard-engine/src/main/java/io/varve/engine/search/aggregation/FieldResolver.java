package io.varve.engine.search.aggregation;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.DateMath;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import io.varve.search.mapping.Values;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Finds out under a mapping where an aggregation's values are and how they are written. */
final class FieldResolver {

  static final Set<Kind> NUMBERS =
      EnumSet.of(
          Kind.WHOLE, Kind.NANOS, Kind.UNSIGNED, Kind.DOUBLE_BITS, Kind.FLOAT_BITS, Kind.SCALED);
  static final Set<Kind> TERMS = EnumSet.complementOf(EnumSet.of(Kind.POINT));
  static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  private final Mapping mapping;
  private final long nowMillis;

  FieldResolver(Mapping mapping, long nowMillis) {
    this.mapping = mapping;
    this.nowMillis = nowMillis;
  }

  /**
   * @param aggregation its type, for messages
   * @param assumed the kind where neither a mapping nor the request says one
   */
  FieldValues resolve(FieldSource source, String aggregation, Set<Kind> allowed, Kind assumed) {
    LeafField field = mapping.leaf(source.field());
    if (field == null) {
      return unmapped(source, assumed);
    }
    Kind kind = kind(field, aggregation);
    if (!allowed.contains(kind)) {
      throw notSupported(field, aggregation);
    }
    ValueFormat format = format(source, field);
    try {
      return new FieldValues(source, field, kind, format, missing(source, field, kind));
    } catch (ValueException e) {
      throw new ApiException(e.error());
    } catch (NumberFormatException e) {
      throw illegal(String.valueOf(e.getMessage()));
    }
  }

  /** Of a date; where no mapping has the field, a date is assumed. */
  FieldValues dates(FieldSource source, String aggregation) {
    boolean mapped = mapping.leaf(source.field()) != null;
    FieldSource typed =
        mapped || source.valueType() != null
            ? source
            : new FieldSource(
                source.field(), source.missing(), source.format(), "date", source.zone());
    FieldValues values = resolve(typed, aggregation, NUMBERS, Kind.WHOLE);
    LeafField field = values.field();
    if (field != null && !values.kind().isWhole()) {
      throw notSupported(field, aggregation);
    }
    return values;
  }

  /** Of an address; where no mapping has the field, one is assumed. */
  FieldValues addresses(FieldSource source) {
    boolean mapped = mapping.leaf(source.field()) != null;
    FieldSource typed =
        mapped
            ? source
            : new FieldSource(source.field(), source.missing(), source.format(), "ip", null);
    FieldValues values = resolve(typed, "ip_range", EnumSet.of(Kind.BYTES), Kind.BYTES);
    LeafField field = values.field();
    if (field != null && !(values.format() instanceof ValueFormat.Address)) {
      throw notSupported(field, "ip_range");
    }
    return values;
  }

  static ApiException notSupported(LeafField field, String aggregation) {
    return illegal(
        "Field ["
            + field.path()
            + "] of type ["
            + field.type().json()
            + "] is not supported for aggregation ["
            + aggregation
            + "]");
  }

  private FieldValues unmapped(FieldSource source, Kind assumed) {
    String type = source.valueType();
    Object given = source.missing();
    Kind kind = type == null ? assumed : kindOf(type, assumed);
    if (type == null && given != null && assumed == Kind.BYTES) {
      kind =
          switch (given) {
            case Long whole -> Kind.WHOLE;
            case Boolean truth -> Kind.WHOLE;
            case Double decimal -> Kind.DOUBLE_BITS;
            default -> Kind.BYTES;
          };
    }
    boolean date = "date".equals(type);
    boolean truth = "boolean".equals(type) || (type == null && given instanceof Boolean);
    ValueFormat format =
        date
            ? dateFormat(source, DateFormat.DEFAULT.toString())
            : truth
                ? Formats.TRUTH
                : "ip".equals(type)
                    ? Formats.ADDRESS
                    : kind == Kind.UNSIGNED
                        ? Formats.UNSIGNED
                        : kind.isNumber() ? decimals(source) : Formats.RAW;
    Object missing = null;
    if (given != null) {
      try {
        missing = assumedMissing(source, given, kind, format);
      } catch (NumberFormatException e) {
        throw illegal(String.valueOf(e.getMessage()));
      } catch (ValueException e) {
        throw new ApiException(e.error());
      }
    }
    return new FieldValues(source, null, kind, format, missing);
  }

  private Object assumedMissing(FieldSource source, Object given, Kind kind, ValueFormat format) {
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

  private static Kind kindOf(String valueType, Kind assumed) {
    return switch (valueType) {
      case "string", "ip" -> Kind.BYTES;
      case "byte", "short", "integer", "long", "date", "boolean" -> Kind.WHOLE;
      case "unsigned_long" -> Kind.UNSIGNED;
      case "double", "float", "half_float", "number", "numeric" -> Kind.DOUBLE_BITS;
      case "geo_point" -> Kind.POINT;
      default -> assumed;
    };
  }

  private static Kind kind(LeafField field, String aggregation) {
    if (field.type().isText()) {
      throw illegal(
          "Text fields are not optimised for operations that require per-document field data like"
              + " aggregations and sorting, so these operations are disabled by default. Please"
              + " use a keyword field instead. Alternatively, set fielddata=true on ["
              + field.path()
              + "] in order to load field data by uninverting the inverted index. Note that this"
              + " can use significant memory.");
    }
    if (!field.docValues()) {
      throw illegal(
          "Can't load fielddata on ["
              + field.path()
              + "] because fielddata is unsupported on fields of type ["
              + field.type().json()
              + "]. Use doc values instead.");
    }
    return switch (field.type()) {
      case LONG, INTEGER, SHORT, BYTE, TOKEN_COUNT, BOOLEAN, DATE -> Kind.WHOLE;
      case DATE_NANOS -> Kind.NANOS;
      case UNSIGNED_LONG -> Kind.UNSIGNED;
      case DOUBLE -> Kind.DOUBLE_BITS;
      case FLOAT, HALF_FLOAT -> Kind.FLOAT_BITS;
      case SCALED_FLOAT -> Kind.SCALED;
      case KEYWORD, WILDCARD, IP -> Kind.BYTES;
      case GEO_POINT -> Kind.POINT;
      default -> throw notSupported(field, aggregation);
    };
  }

  private static ValueFormat format(FieldSource source, LeafField field) {
    return switch (field.type()) {
      case DATE, DATE_NANOS -> dateFormat(source, field.dateFormat().toString());
      case BOOLEAN -> Formats.TRUTH;
      case IP -> Formats.ADDRESS;
      case KEYWORD, WILDCARD, GEO_POINT -> Formats.RAW;
      case UNSIGNED_LONG -> source.format() == null ? Formats.UNSIGNED : decimals(source);
      default -> decimals(source);
    };
  }

  private static ValueFormat dateFormat(FieldSource source, String pattern) {
    ZoneId zone = source.zone() == null ? ZoneOffset.UTC : source.zone();
    String given = source.format();
    try {
      return new ValueFormat.Dates(
          DateFormat.of(given == null ? pattern : given).toString(), zone.getId());
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  static ValueFormat decimals(FieldSource source) {
    String pattern = source.format();
    if (pattern == null) {
      return Formats.RAW;
    }
    try {
      return new ValueFormat.Decimals(pattern);
    } catch (IllegalArgumentException e) {
      throw illegal("Malformed number format [" + pattern + "]: " + e.getMessage());
    }
  }

  private @Nullable Object missing(FieldSource source, LeafField field, Kind kind) {
    Object given = source.missing();
    return given == null ? null : value(source, field, kind, given);
  }

  /** A value of a request as the field keeps it. */
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
      case IP -> new BytesRef(InetAddressPoint.encode(MappedFields.address(given.toString())));
      case GEO_POINT -> GeoPoint.parse(given);
      default ->
          kind.isWhole()
              ? (Object) Values.whole(FieldType.LONG, given)
              : (Object) Values.decimal(FieldType.DOUBLE, given);
    };
  }

  /** A value of a request as a key: Long, Double's bits as a Long, or BytesRef. */
  Object key(FieldValues values, Object given) {
    LeafField field = values.field();
    Object value;
    try {
      value =
          field == null
              ? assumedMissing(values.source(), given, values.kind(), values.format())
              : value(values.source(), field, values.kind(), given);
    } catch (NumberFormatException e) {
      throw illegal(String.valueOf(e.getMessage()));
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

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
