package io.varve.engine.document;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads scalars, and whole values where a field or an error message needs them; skips other values.
 */
final class Scalars {

  private Scalars() {}

  /** Whether numbers are read as text, keeping their notation. */
  static boolean wantsText(LeafField field) {
    boolean text =
        field.type().isText()
            || field.type().isKeyword()
            || field.type().isDate()
            || field.type() == FieldType.TOKEN_COUNT;
    // Without coercion, numbers must be distinguished from strings, so they are not read as text.
    return text || (field.coerce() && !(field.fields().isEmpty() && field.copyTo().isEmpty()));
  }

  /** The scalar at the parser's position: String, Boolean or Number. */
  static Object read(JsonParser json, JsonToken token) {
    return switch (token) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
      default -> json.getString();
    };
  }

  /** The complete value at the parser's position; leaves the parser at its end. */
  static @Nullable Object readWhole(JsonParser json, JsonToken token) {
    return switch (token) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          map.put(name, readWhole(json, json.nextToken()));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (JsonToken next = json.nextToken();
            next != JsonToken.END_ARRAY;
            next = json.nextToken()) {
          list.add(readWhole(json, next));
        }
        yield list;
      }
      case VALUE_NULL -> null;
      default -> read(json, token);
    };
  }

  /** Skips a value, but refuses duplicate keys in it. */
  static void skip(JsonParser json, JsonToken token) {
    if (token == JsonToken.START_ARRAY) {
      for (JsonToken next = json.nextToken();
          next != JsonToken.END_ARRAY;
          next = json.nextToken()) {
        skip(json, next);
      }
    } else if (token == JsonToken.START_OBJECT) {
      SeenNames seen = new SeenNames();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        seen.add(json.currentName(), -1);
        skip(json, json.nextToken());
      }
    }
  }
}
