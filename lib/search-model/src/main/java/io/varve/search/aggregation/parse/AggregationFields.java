package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an aggregation's body, which a parser removes one by one. The remaining fields are
 * unknown.
 */
final class AggregationFields {

  private final String name;
  private final String type;
  private final Obj object;
  private final Map<String, JsonValue> rest;
  private final List<String> warnings;

  /**
   * @param name of the aggregation
   * @param type its name in error texts
   * @param warnings collects deprecation warnings for the user
   */
  AggregationFields(String name, String type, Obj object, List<String> warnings) {
    this.name = name;
    this.type = type;
    this.object = object;
    this.rest = new LinkedHashMap<>(object.fields());
    this.warnings = warnings;
  }

  /** The fields of a nested object of the same aggregation. */
  AggregationFields within(String innerType, Obj inner) {
    return new AggregationFields(name, innerType, inner, warnings);
  }

  String name() {
    return name;
  }

  String type() {
    return type;
  }

  Obj object() {
    return object;
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  boolean has(String field) {
    return rest.containsKey(field);
  }

  @Nullable JsonValue take(String field) {
    JsonValue value = rest.remove(field);
    return value instanceof Scalar scalar && scalar.value() == null ? null : value;
  }

  @Nullable Object takeScalar(String field) {
    JsonValue value = take(field);
    return switch (value) {
      case null -> null;
      case Scalar scalar -> scalar.value();
      default -> throw unsupported(field, value);
    };
  }

  @Nullable String takeString(String field) {
    Object value = takeScalar(field);
    return value == null ? null : value.toString();
  }

  String requireString(String field) {
    String value = takeString(field);
    if (value == null) {
      throw illegal("Required [" + field + "]");
    }
    return value;
  }

  boolean takeBoolean(String field, boolean otherwise) {
    JsonValue value = take(field);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Scalar scalar) {
      if ("true".equals(String.valueOf(scalar.value()))) {
        return true;
      }
      if ("false".equals(String.valueOf(scalar.value()))) {
        return false;
      }
      throw failed(
          field,
          value,
          "Failed to parse value [" + scalar.value() + "] as only [true] or [false] are allowed.");
    }
    throw unsupported(field, value);
  }

  @Nullable Double takeDouble(String field) {
    JsonValue value = take(field);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Scalar scalar) || scalar.value() instanceof Boolean) {
      throw unsupported(field, value);
    }
    return number(field, scalar);
  }

  double takeDouble(String field, double otherwise) {
    Double value = takeDouble(field);
    return value == null ? otherwise : value;
  }

  private double number(String field, Scalar scalar) {
    try {
      return scalar.value() instanceof Number number
          ? number.doubleValue()
          : Double.parseDouble(String.valueOf(scalar.value()));
    } catch (NumberFormatException e) {
      throw failed(field, scalar, String.valueOf(e.getMessage()));
    }
  }

  long takeLong(String field, long otherwise) {
    JsonValue value = take(field);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Scalar scalar) || scalar.value() instanceof Boolean) {
      throw unsupported(field, value);
    }
    try {
      return switch (scalar.value()) {
        case Long whole -> whole;
        case Double decimal when decimal == Math.rint(decimal) -> (long) (double) decimal;
        case null -> otherwise;
        default -> Long.parseLong(scalar.value().toString());
      };
    } catch (NumberFormatException e) {
      throw failed(field, value, String.valueOf(e.getMessage()));
    }
  }

  int takeInt(String field, int otherwise) {
    JsonValue at = rest.get(field);
    long value = takeLong(field, otherwise);
    if (value != (int) value && at != null) {
      throw failed(field, at, "Numeric value (" + value + ") out of range of int");
    }
    return (int) value;
  }

  List<Double> takeDoubles(String field) {
    JsonValue value = take(field);
    List<Double> numbers = new ArrayList<>();
    switch (value) {
      case null -> {}
      case Scalar scalar -> numbers.add(number(field, scalar));
      case Arr array -> {
        for (JsonValue item : array.items()) {
          if (!(item instanceof Scalar scalar) || !(scalar.value() instanceof Number)) {
            throw unsupported(field, item);
          }
          numbers.add(number(field, scalar));
        }
      }
      case Obj inner -> throw unsupported(field, inner);
    }
    return numbers;
  }

  @Nullable Obj takeObject(String field) {
    JsonValue value = take(field);
    return switch (value) {
      case null -> null;
      case Obj inner -> inner;
      default -> throw unsupported(field, value);
    };
  }

  @Nullable Arr takeArray(String field) {
    JsonValue value = take(field);
    return switch (value) {
      case null -> null;
      case Arr array -> array;
      default -> throw unsupported(field, value);
    };
  }

  ApiException unsupported(String field, JsonValue value) {
    return malformed(
        value, "[" + type + "] " + field + " doesn't support values of type: " + value.token());
  }

  ApiException failed(String field, JsonValue at, String why) {
    return new ApiException(
        ErrorBody.of(
                400,
                "x_content_parse_exception",
                "[" + at.at() + "] [" + type + "] failed to parse field [" + field + "]")
            .causedBy(ErrorBody.illegalArgument(why)));
  }

  static ApiException malformed(JsonValue at, String reason) {
    return new ApiException(400, "x_content_parse_exception", "[" + at.at() + "] " + reason);
  }

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /** Rejects fields that were not read. */
  void end(String... known) {
    if (rest.isEmpty()) {
      return;
    }
    Map.Entry<String, JsonValue> first = rest.entrySet().iterator().next();
    throw malformed(
        first.getValue(),
        "["
            + type
            + "] unknown field ["
            + first.getKey()
            + "]"
            + Spelling.hint(first.getKey(), List.of(known)));
  }
}
