package io.varve.coordinator.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts settings between their stored form, flat names with string values, and the nested
 * objects that clients write and read.
 */
public final class SettingsTree {

  private SettingsTree() {}

  /**
   * Flattens settings with any mix of nested and dotted names. A list is converted to one value,
   * its elements separated by commas; under {@code analysis}, each element becomes a setting of its
   * own: {@code name.0}, {@code name.1}, …
   */
  public static Map<String, @Nullable String> flatten(Map<?, ?> settings) {
    Map<String, @Nullable String> flat = new TreeMap<>();
    flatten("", settings, flat);
    return flat;
  }

  private static void flatten(
      String prefix, Map<?, ?> settings, Map<String, @Nullable String> flat) {
    settings.forEach((key, value) -> {
      String name = prefix.isEmpty() ? String.valueOf(key) : prefix + "." + key;
      switch (value) {
        case Map<?, ?> map -> flatten(name, map, flat);
        // Elements of lists in analysis settings may contain commas.
        case List<?> list when name.contains("analysis.") -> {
          for (int i = 0; i < list.size(); i++) {
            flat.put(name + "." + i, String.valueOf(list.get(i)));
          }
        }
        case List<?> list ->
            flat.put(name, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
        case null -> flat.put(name, null);
        default -> flat.put(name, value.toString());
      }
    });
  }

  /**
   * Splits names at their dots into nested objects. If a name is both a value and an object, the
   * deeper names keep their dots.
   */
  public static Map<String, Object> nest(Map<String, String> flat) {
    Map<String, Object> root = new TreeMap<>();
    new TreeMap<>(flat).forEach((name, value) -> put(root, name, value));
    root.replaceAll((_, value) -> withLists(value));
    return root;
  }

  /** Converts objects with the names 0, 1, … back to lists. */
  private static Object withLists(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    List<Object> list = new ArrayList<>();
    for (Object one = map.get("0"); one != null; one = map.get(Integer.toString(list.size()))) {
      list.add(withLists(one));
    }
    if (!list.isEmpty() && list.size() == map.size()) {
      return list;
    }
    Map<String, Object> object = new TreeMap<>();
    map.forEach((name, inner) -> object.put(String.valueOf(name), withLists(inner)));
    return object;
  }

  private static void put(Map<String, Object> into, String name, String value) {
    int dot = name.indexOf('.');
    if (dot < 0) {
      into.put(name, value);
      return;
    }
    Object below = into.computeIfAbsent(name.substring(0, dot), key -> new TreeMap<>());
    if (below instanceof Map<?, ?> map) {
      @SuppressWarnings("unchecked")
      Map<String, Object> object = (Map<String, Object>) map;
      put(object, name.substring(dot + 1), value);
    } else {
      into.put(name, value);
    }
  }
}
