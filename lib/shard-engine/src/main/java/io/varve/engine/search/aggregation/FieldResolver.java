package io.varve.engine.search.aggregation;

import io.varve.engine.fields.ValuesByDocument;
import io.varve.engine.search.aggregation.FieldValues.Kind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.DateFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import java.math.BigInteger;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Resolves the values of an aggregation and their format under a mapping. */
final class FieldResolver {

  static final Set<Kind> NUMBERS =
      EnumSet.of(
          Kind.WHOLE, Kind.NANOS, Kind.UNSIGNED, Kind.DOUBLE_BITS, Kind.FLOAT_BITS, Kind.SCALED);
  static final Set<Kind> TERMS = EnumSet.complementOf(EnumSet.of(Kind.POINT, Kind.RANGE));
  static final Set<Kind> NUMBERS_AND_RANGES =
      EnumSet.complementOf(EnumSet.of(Kind.POINT, Kind.BYTES));
  static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  private static final String INDEX = "_index";

  private final Mapping mapping;
  private final String index;
  private final RequestValues values;

  FieldResolver(AggregationContext.Ground ground) {
    this.mapping = ground.mapping();
    this.index = ground.index();
    this.values = new RequestValues(ground.nowMillis());
  }

  /** Converts a value of the request to a key: Long, a Double's bits as a Long, or BytesRef. */
  Object key(FieldValues field, Object given) {
    return values.key(field, given);
  }

  /**
   * @param aggregation its type, for messages
   * @param assumed the kind if neither the mapping nor the request specifies one
   */
  FieldValues resolve(FieldSource source, String aggregation, Set<Kind> allowed, Kind assumed) {
    LeafField field = mapping.leaf(source.field());
    if (field == null && source.field().equals(INDEX)) {
      return ofIndex(source, aggregation, allowed);
    }
    if (field == null) {
      return unmapped(source, assumed);
    }
    Kind kind = kind(field, aggregation);
    if (!allowed.contains(kind)) {
      throw notSupported(field, aggregation);
    }
    ValueFormat format = format(source, field);
    try {
      return new FieldValues(
          source, field, kind, format, missing(source, field, kind), constant(field));
    } catch (ValueException e) {
      throw new ApiException(e.error());
    } catch (NumberFormatException e) {
      throw illegal(String.valueOf(e.getMessage()));
    }
  }

  /** A text field whose words are read from the source. */
  FieldValues words(String name) {
    FieldSource source = FieldSource.of(name);
    return new FieldValues(source, mapping.leaf(name), Kind.BYTES, Formats.RAW, null, null);
  }

  /** A date field; an unmapped field is treated as a date. */
  FieldValues dates(FieldSource source, String aggregation) {
    return dates(source, aggregation, NUMBERS);
  }

  /** As above, also for date ranges. */
  FieldValues datesOrRanges(FieldSource source, String aggregation) {
    return dates(source, aggregation, NUMBERS_AND_RANGES);
  }

  private FieldValues dates(FieldSource source, String aggregation, Set<Kind> allowed) {
    boolean mapped = mapping.leaf(source.field()) != null;
    FieldSource typed =
        mapped || source.valueType() != null
            ? source
            : new FieldSource(
                source.field(), source.missing(), source.format(), "date", source.zone());
    FieldValues values = resolve(typed, aggregation, allowed, Kind.WHOLE);
    LeafField field = values.field();
    boolean range = field != null && field.type() == FieldType.DATE_RANGE;
    if (field != null && !values.kind().isWhole() && !range) {
      throw notSupported(field, aggregation);
    }
    return values;
  }

  /** An address field; an unmapped field is treated as an address. */
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

  /** The field {@code _index}, which every document has. */
  private FieldValues ofIndex(FieldSource source, String aggregation, Set<Kind> allowed) {
    if (!allowed.contains(Kind.BYTES)) {
      throw notSupported(INDEX, INDEX, aggregation);
    }
    return new FieldValues(source, null, Kind.BYTES, Formats.RAW, null, always(index));
  }

  private static FieldValues.@Nullable Ordinals constant(LeafField field) {
    return field.type() == FieldType.CONSTANT_KEYWORD ? always(field.constant()) : null;
  }

  private static FieldValues.Ordinals always(String term) {
    return leaf -> new ConstantOrdinals(new BytesRef(term), leaf.reader().maxDoc());
  }

  static ApiException notSupported(LeafField field, String aggregation) {
    return notSupported(field.path(), field.type().json(), aggregation);
  }

  private static ApiException notSupported(String field, String type, String aggregation) {
    return illegal(
        "Field ["
            + field
            + "] of type ["
            + type
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
        missing = values.assumed(source, given, kind, format);
      } catch (NumberFormatException e) {
        throw illegal(String.valueOf(e.getMessage()));
      } catch (ValueException e) {
        throw new ApiException(e.error());
      }
    }
    return new FieldValues(source, null, kind, format, missing, null);
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
    if (field.type() == FieldType.CONSTANT_KEYWORD) {
      return Kind.BYTES;
    }
    ValuesByDocument.require(field);
    return switch (field.type()) {
      case LONG, INTEGER, SHORT, BYTE, TOKEN_COUNT, BOOLEAN, DATE -> Kind.WHOLE;
      case DATE_NANOS -> Kind.NANOS;
      case UNSIGNED_LONG -> Kind.UNSIGNED;
      case DOUBLE -> Kind.DOUBLE_BITS;
      case FLOAT, HALF_FLOAT -> Kind.FLOAT_BITS;
      case SCALED_FLOAT -> Kind.SCALED;
      case KEYWORD, WILDCARD, IP, TEXT, MATCH_ONLY_TEXT -> Kind.BYTES;
      case GEO_POINT -> Kind.POINT;
      case INTEGER_RANGE, LONG_RANGE, FLOAT_RANGE, DOUBLE_RANGE, DATE_RANGE, IP_RANGE -> Kind.RANGE;
      default -> throw notSupported(field, aggregation);
    };
  }

  private static ValueFormat format(FieldSource source, LeafField field) {
    return switch (field.type()) {
      case DATE, DATE_NANOS, DATE_RANGE -> dateFormat(source, field.dateFormat().toString());
      case BOOLEAN -> Formats.TRUTH;
      case IP -> Formats.ADDRESS;
      case KEYWORD, WILDCARD, CONSTANT_KEYWORD, TEXT, MATCH_ONLY_TEXT, GEO_POINT, IP_RANGE ->
          Formats.RAW;
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
    if (kind == Kind.WHOLE && given instanceof BigInteger beyond) {
      // Metrics are computed with doubles in any case.
      return beyond.doubleValue();
    }
    if (kind == Kind.RANGE && given != null) {
      throw illegal(
          "Missing values are not supported on fields of type [" + field.type().json() + "]");
    }
    return given == null ? null : values.value(source, field, kind, given);
  }

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
