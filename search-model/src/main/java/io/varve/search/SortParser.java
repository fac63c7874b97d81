package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the sort of a body or of a URL. */
final class SortParser {

  private SortParser() {}

  /** {@code field:order,field}. */
  static List<SortKey> parse(String text) {
    List<SortKey> keys = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      String key = one.strip();
      int colon = key.lastIndexOf(':');
      if (key.isEmpty()) {
        continue;
      }
      keys.add(
          colon < 0
              ? plain(key)
              : SortKey.by(key.substring(0, colon), descending(key.substring(colon + 1))));
    }
    return keys;
  }

  static List<SortKey> parse(JsonValue value) {
    List<SortKey> keys = new ArrayList<>();
    if (value instanceof Arr array) {
      array.items().forEach(item -> addKeys(item, keys));
    } else {
      addKeys(value, keys);
    }
    return keys;
  }

  private static void addKeys(JsonValue value, List<SortKey> keys) {
    switch (value) {
      case Scalar scalar when scalar.value() instanceof String field -> keys.add(plain(field));
      case Obj object ->
          object.fields().forEach((field, definition) -> keys.add(key(field, definition)));
      default ->
          throw value.refused(
              "malformed sort format, either start array, start object, or an actual string");
    }
  }

  private static SortKey plain(String field) {
    return SortKey.by(field, field.equals(SortKey.SCORE));
  }

  private static SortKey key(String field, JsonValue definition) {
    return switch (definition) {
      case Scalar scalar when scalar.value() instanceof String order ->
          SortKey.by(field, descending(order));
      case Obj object -> key(field, new Fields("sort", object));
      default ->
          throw definition.refused(
              "malformed sort format, within the sort object, a field must be an order or an"
                  + " object");
    };
  }

  private static SortKey key(String field, Fields fields) {
    String order = fields.takeString("order");
    boolean descending = order == null ? field.equals(SortKey.SCORE) : descending(order);
    SortKey.Mode mode = mode(fields.takeString("mode"));
    Object missing = fields.takeScalar("missing");
    String unmappedType = fields.takeString("unmapped_type");
    if (!fields.rest().isEmpty()) {
      Map.Entry<String, JsonValue> first = fields.rest().entrySet().iterator().next();
      throw new ApiException(
          ErrorBody.of(
              400,
              "x_content_parse_exception",
              "["
                  + first.getValue().at()
                  + "] [field_sort] unknown field ["
                  + first.getKey()
                  + "]"));
    }
    return new SortKey(
        field, descending, mode, missing == null ? SortKey.MISSING_LAST : missing, unmappedType);
  }

  private static boolean descending(String order) {
    return switch (order.toLowerCase(Locale.ROOT)) {
      case "asc" -> false;
      case "desc" -> true;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("Unknown SortOrder [" + order + "]"));
    };
  }

  private static SortKey.@Nullable Mode mode(@Nullable String name) {
    return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
      case "" -> null;
      case "min" -> SortKey.Mode.MIN;
      case "max" -> SortKey.Mode.MAX;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("Unknown SortMode [" + name + "]"));
    };
  }
}
