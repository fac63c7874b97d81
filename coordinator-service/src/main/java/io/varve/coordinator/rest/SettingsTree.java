package io.varve.coordinator.rest;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings between their two forms: flat names with string values, as they are kept, and the nested
 * objects in which clients write and read them.
 */
public final class SettingsTree {

  private SettingsTree() {}

  /** Any mix of nested and dotted names. A list becomes its elements between commas. */
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
        case List<?> list ->
            flat.put(name, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
        case null -> flat.put(name, null);
        default -> flat.put(name, value.toString());
      }
    });
  }

  /**
   * Objects by the dots of the names. Where a name is both a value and an object, what is deeper
   * keeps its dots.
   */
  public static Map<String, Object> nest(Map<String, String> flat) {
    Map<String, Object> root = new TreeMap<>();
    new TreeMap<>(flat).forEach((name, value) -> put(root, name, value));
    return root;
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
