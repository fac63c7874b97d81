package io.varve.search.source;

import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses {@code _source} of a body and of URL parameters. */
public final class SourceParser {

  private SourceParser() {}

  /** The filter in the URL parameters, or null if they contain none. */
  public static @Nullable SourceFilter ofUrl(Map<String, String> parameters) {
    String whole = parameters.get("_source");
    List<String> includes = new ArrayList<>(list(parameters.get("_source_includes")));
    List<String> excludes = list(parameters.get("_source_excludes"));
    if (whole == null && includes.isEmpty() && excludes.isEmpty()) {
      return null;
    }
    if ("false".equals(whole)) {
      return SourceFilter.NONE;
    }
    if (whole != null && !whole.isEmpty() && !whole.equals("true")) {
      includes.addAll(list(whole));
    }
    return new SourceFilter(true, includes, excludes);
  }

  public static SourceFilter of(JsonValue value) {
    return switch (value) {
      case Scalar scalar when scalar.value() instanceof Boolean enabled ->
          enabled ? SourceFilter.ALL : SourceFilter.NONE;
      case Scalar scalar when scalar.value() instanceof String name ->
          new SourceFilter(true, List.of(name), List.of());
      case Scalar scalar ->
          throw scalar.refused(
              "Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ["
                  + scalar.token()
                  + "]");
      case Arr array -> new SourceFilter(true, names(array), List.of());
      case Obj object -> of(new Fields("_source", object));
    };
  }

  private static SourceFilter of(Fields fields) {
    List<String> includes = new ArrayList<>(fields.takeStrings("includes"));
    includes.addAll(fields.takeStrings("include"));
    List<String> excludes = new ArrayList<>(fields.takeStrings("excludes"));
    excludes.addAll(fields.takeStrings("exclude"));
    if (!fields.rest().isEmpty()) {
      Map.Entry<String, JsonValue> first = fields.rest().entrySet().iterator().next();
      throw first
          .getValue()
          .refused(
              "Unknown key for a " + first.getValue().token() + " in [" + first.getKey() + "].");
    }
    return new SourceFilter(true, includes, excludes);
  }

  private static List<String> names(Arr array) {
    List<String> names = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar) || !(scalar.value() instanceof String name)) {
        throw item.refused("Unknown key for a " + item.token() + " in [_source].");
      }
      names.add(name);
    }
    return names;
  }

  public static List<String> list(@Nullable String text) {
    return text == null || text.isEmpty() ? List.of() : List.of(text.split("\\s*,\\s*", -1));
  }
}
