package io.varve.coordinator.rest.search;

import io.varve.events.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Converts alias filters to the format of {@code _search_shards}, which includes defaults that the
 * filter omits. Less common kinds of queries are shown as they were sent.
 */
final class FilterJson {

  private FilterJson() {}

  static Map<String, Object> of(List<String> filters) {
    List<Map<String, Object>> shown = filters.stream().map(FilterJson::read).toList();
    return shown.size() == 1 ? shown.getFirst() : Map.of("bool", bool(Map.of("should", shown)));
  }

  private static Map<String, Object> read(String filter) {
    Map<String, Object> query =
        Json.mapper().readValue(filter, new TypeReference<Map<String, Object>>() {});
    Map<String, Object> shown = new LinkedHashMap<>();
    query.forEach((kind, body) -> shown.put(kind, body(kind, body)));
    return shown;
  }

  private static @Nullable Object body(String kind, @Nullable Object body) {
    if (!(body instanceof Map<?, ?> map)) {
      return body;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((name, value) -> fields.put(String.valueOf(name), value));
    return switch (kind) {
      case "term" -> term(fields);
      case "bool" -> bool(fields);
      case "match_all", "exists", "range", "terms", "ids" -> boosted(fields);
      default -> fields;
    };
  }

  private static Map<String, Object> term(Map<String, Object> fields) {
    Map<String, Object> shown = new LinkedHashMap<>();
    fields.forEach((field, value) -> {
      Map<String, Object> full = new LinkedHashMap<>();
      if (value instanceof Map<?, ?> given) {
        given.forEach((name, part) -> full.put(String.valueOf(name), part));
      } else {
        full.put("value", value);
      }
      full.putIfAbsent("boost", 1.0);
      shown.put(field, full);
    });
    return shown;
  }

  private static Map<String, Object> bool(Map<String, ?> fields) {
    Map<String, Object> shown = new LinkedHashMap<>(fields);
    shown.putIfAbsent("adjust_pure_negative", true);
    return boosted(shown);
  }

  private static Map<String, Object> boosted(Map<String, ?> fields) {
    Map<String, Object> shown = new LinkedHashMap<>(fields);
    shown.putIfAbsent("boost", 1.0);
    return shown;
  }
}
