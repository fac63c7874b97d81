package io.varve.search.json;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** A JSON value with the position where it begins. */
public sealed interface JsonValue {

  /** Line and column, counted from 1. */
  record At(int line, int column) {
    @Override
    public String toString() {
      return line + ":" + column;
    }
  }

  At at();

  record Obj(At at, Map<String, JsonValue> fields) implements JsonValue {
    public Obj {
      fields = Collections.unmodifiableMap(fields);
    }
  }

  record Arr(At at, List<JsonValue> items) implements JsonValue {
    public Arr {
      items = Collections.unmodifiableList(items);
    }
  }

  /** A scalar; {@code value} is a String, Boolean, Long, Double, BigInteger or null. */
  record Scalar(At at, @Nullable Object value) implements JsonValue {}

  /** The name of its first token in OpenSearch's error texts. */
  default String token() {
    return switch (this) {
      case Obj object -> "START_OBJECT";
      case Arr array -> "START_ARRAY";
      case Scalar scalar ->
          switch (scalar.value) {
            case null -> "VALUE_NULL";
            case String text -> "VALUE_STRING";
            case Boolean truth -> "VALUE_BOOLEAN";
            default -> "VALUE_NUMBER";
          };
    };
  }

  /** The value as plain maps, lists and scalars. */
  default @Nullable Object plain() {
    return switch (this) {
      case Obj object -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        object.fields.forEach((name, value) -> map.put(name, value.plain()));
        yield map;
      }
      case Arr array -> {
        List<@Nullable Object> list = new ArrayList<>();
        array.items.forEach(item -> list.add(item.plain()));
        yield list;
      }
      case Scalar scalar -> scalar.value;
    };
  }

  /** A parse error that names this value's position. */
  default ApiException refused(String reason) {
    return new ApiException(
        ErrorBody.of(400, "parsing_exception", reason)
            .with("line", at().line)
            .with("col", at().column));
  }

  JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Parses a body that holds one object; an empty body counts as an empty object. */
  static Obj parseObject(byte[] body) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), body)) {
      if (parser.nextToken() == null) {
        return new Obj(new At(1, 1), Map.of());
      }
      JsonValue value = read(parser);
      if (!(value instanceof Obj object)) {
        throw value.refused("Expected [START_OBJECT] but found [" + value.token() + "]");
      }
      JsonToken more = parser.nextToken();
      if (more != null) {
        TokenStreamLocation where = parser.currentTokenLocation();
        throw new Scalar(new At(where.getLineNr(), where.getColumnNr()), null)
            .refused("Expected the end of the body but found [" + more + "]");
      }
      return object;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private static ApiException malformed(JacksonException e) {
    String message = String.valueOf(e.getOriginalMessage());
    ErrorBody error = ErrorBody.of(400, "json_parse_exception", message);
    TokenStreamLocation where = e.getLocation();
    return new ApiException(
        where == null
            ? error
            : error.with("line", where.getLineNr()).with("col", where.getColumnNr()));
  }

  private static JsonValue read(JsonParser parser) {
    TokenStreamLocation where = parser.currentTokenLocation();
    At at = new At(where.getLineNr(), where.getColumnNr());
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          fields.put(name, read(parser));
        }
        yield new Obj(at, fields);
      }
      case START_ARRAY -> {
        List<JsonValue> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(read(parser));
        }
        yield new Arr(at, items);
      }
      case VALUE_STRING -> new Scalar(at, parser.getString());
      case VALUE_TRUE -> new Scalar(at, true);
      case VALUE_FALSE -> new Scalar(at, false);
      case VALUE_NUMBER_INT ->
          new Scalar(
              at,
              parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                  ? parser.getBigIntegerValue()
                  : (Object) parser.getLongValue());
      case VALUE_NUMBER_FLOAT -> new Scalar(at, parser.getDoubleValue());
      default -> new Scalar(at, null);
    };
  }
}
