package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.FieldSource;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Scalar;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the source of the values of an aggregation. */
final class Sources {

  static final String NO_SCRIPTS =
      "scripts are not supported: give a [field] instead of a [script]";

  private static final Set<String> VALUE_TYPES =
      Set.of(
          "string",
          "byte",
          "short",
          "integer",
          "long",
          "unsigned_long",
          "float",
          "half_float",
          "double",
          "number",
          "numeric",
          "date",
          "ip",
          "boolean",
          "geo_point",
          "range");

  private Sources() {}

  /** Parses a source whose field is required. */
  static FieldSource of(AggregationFields fields) {
    if (fields.take("script") != null) {
      throw AggregationFields.illegal(NO_SCRIPTS);
    }
    String field = fields.takeString("field");
    if (field == null) {
      throw AggregationFields.illegal(
          "Required one of fields [field, script], but none were specified. ");
    }
    String valueType = fields.takeString(fields.has("valueType") ? "valueType" : "value_type");
    if (valueType != null && !VALUE_TYPES.contains(valueType)) {
      throw AggregationFields.illegal("Unknown value type [" + valueType + "]");
    }
    return new FieldSource(
        field,
        fields.takeScalar("missing"),
        fields.takeString("format"),
        valueType,
        zone(fields, fields.take("time_zone")));
  }

  private static @Nullable ZoneId zone(AggregationFields fields, @Nullable JsonValue value) {
    if (value == null) {
      return null;
    }
    if (!(value instanceof Scalar scalar)) {
      throw fields.unsupported("time_zone", value);
    }
    try {
      return scalar.value() instanceof Number hours
          ? ZoneOffset.ofHours(hours.intValue())
          : normalized(ZoneId.of(String.valueOf(scalar.value())));
    } catch (DateTimeException e) {
      throw fields.failed("time_zone", value, String.valueOf(e.getMessage()));
    }
  }

  private static ZoneId normalized(ZoneId zone) {
    return zone.normalized();
  }
}
