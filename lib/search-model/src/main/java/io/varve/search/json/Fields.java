package io.varve.search.json;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object, which a parser takes one by one. Fields that remain are unknown to the
 * parser.
 */
public final class Fields {

  private final String owner;
  private final Obj object;
  private final Map<String, JsonValue> rest;

  /**
   * @param owner the object's name in error texts, such as {@code match}
   */
  public Fields(String owner, Obj object) {
    this.owner = owner;
    this.object = object;
    this.rest = new LinkedHashMap<>(object.fields());
  }

  public String owner() {
    return owner;
  }

  public Obj object() {
    return object;
  }

  public @Nullable JsonValue take(String name) {
    return rest.remove(name);
  }

  public @Nullable Object takeScalar(String name) {
    JsonValue value = rest.remove(name);
    return switch (value) {
      case null -> null;
      case Scalar scalar -> scalar.value();
      case Obj object -> throw unexpected(name, object);
      case Arr array -> throw unexpected(name, array);
    };
  }

  public @Nullable String takeString(String name) {
    Object value = takeScalar(name);
    return value == null ? null : value.toString();
  }

  public boolean takeBoolean(String name, boolean otherwise) {
    JsonValue at = rest.get(name);
    Object value = takeScalar(name);
    if (value == null || at == null) {
      return otherwise;
    }
    return switch (value.toString()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw at.refused(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  public float takeFloat(String name, float otherwise) {
    JsonValue at = rest.get(name);
    Object value = takeScalar(name);
    if (value == null || at == null) {
      return otherwise;
    }
    try {
      float number =
          value instanceof Number given ? given.floatValue() : Float.parseFloat(value.toString());
      if (Float.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw at.refused("[" + owner + "] failed to parse field [" + name + "]: " + e.getMessage());
    }
    throw at.refused("[" + owner + "] failed to parse field [" + name + "]");
  }

  public double takeDouble(String name, double otherwise) {
    JsonValue at = rest.get(name);
    Object value = takeScalar(name);
    if (value == null || at == null) {
      return otherwise;
    }
    try {
      double number =
          value instanceof Number given
              ? given.doubleValue()
              : Double.parseDouble(value.toString());
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw at.refused("[" + owner + "] failed to parse field [" + name + "]: " + e.getMessage());
    }
    throw at.refused("[" + owner + "] failed to parse field [" + name + "]");
  }

  public int takeInt(String name, int otherwise) {
    JsonValue at = rest.get(name);
    Object value = takeScalar(name);
    if (value == null || at == null) {
      return otherwise;
    }
    try {
      return value instanceof Long whole
          ? Math.toIntExact(whole)
          : Integer.parseInt(value.toString());
    } catch (NumberFormatException | ArithmeticException e) {
      throw at.refused("[" + owner + "] failed to parse field [" + name + "]: " + e.getMessage());
    }
  }

  /** A list of strings; a single string counts as a list of one. */
  public List<String> takeStrings(String name) {
    JsonValue value = take(name);
    List<String> texts = new ArrayList<>();
    switch (value) {
      case null -> {}
      case Scalar scalar -> texts.add(String.valueOf(scalar.value()));
      case Arr array ->
          array
              .items()
              .forEach(item -> {
                if (!(item instanceof Scalar scalar)) {
                  throw unexpected(name, item);
                }
                texts.add(String.valueOf(scalar.value()));
              });
      case Obj object -> throw unexpected(name, object);
    }
    return texts;
  }

  private RuntimeException unexpected(String name, JsonValue value) {
    return value.refused(
        "[" + owner + "] query does not support [" + name + "] of [" + value.token() + "]");
  }

  /** Fields that were not read. */
  public Map<String, JsonValue> rest() {
    return rest;
  }

  /** Rejects fields that were not read, with the error text of OpenSearch's query parsers. */
  public void end() {
    if (!rest.isEmpty()) {
      Map.Entry<String, JsonValue> first = rest.entrySet().iterator().next();
      throw first
          .getValue()
          .refused("[" + owner + "] query does not support [" + first.getKey() + "]");
    }
  }

  /** Rejects fields that were not read, with the error text of OpenSearch's object parsers. */
  public void refuseUnknown() {
    refuseUnknown(owner);
  }

  /**
   * @param parser the parser's name in the error text
   */
  public void refuseUnknown(String parser) {
    if (!rest.isEmpty()) {
      Map.Entry<String, JsonValue> first = rest.entrySet().iterator().next();
      throw new ApiException(
          ErrorBody.of(
              400,
              "x_content_parse_exception",
              "["
                  + first.getValue().at()
                  + "] ["
                  + parser
                  + "] unknown field ["
                  + first.getKey()
                  + "]"));
    }
  }
}
