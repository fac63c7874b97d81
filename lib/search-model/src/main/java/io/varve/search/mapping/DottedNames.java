package io.varve.search.mapping;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Expands a property {@code a.b} into the object {@code a} with the property {@code b}. */
final class DottedNames {

  private DottedNames() {}

  static void put(Map<String, Object> properties, String name, @Nullable Object definition) {
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    if (first.isBlank() || dot == name.length() - 1) {
      throw MappingErrors.illegal(
          name.isEmpty()
              ? "name cannot be empty string"
              : "field name cannot contain only whitespace or start or end with a dot: ["
                  + name
                  + "]");
    }
    Object known = properties.get(first);
    if (dot >= 0) {
      Map<String, Object> object = asObject(known);
      Map<String, Object> inner = new LinkedHashMap<>();
      Object before = object.get("properties");
      if (before != null) {
        inner.putAll(MappingParser.map("properties", before));
      }
      put(inner, name.substring(dot + 1), definition);
      object.put("properties", inner);
      properties.put(first, object);
    } else if (known instanceof Map && definition instanceof Map) {
      properties.put(first, together(asObject(known), MappingParser.map(name, definition)));
    } else {
      properties.put(first, definition);
    }
  }

  private static Map<String, Object> asObject(@Nullable Object known) {
    Map<String, Object> object = new LinkedHashMap<>();
    if (known != null) {
      object.putAll(MappingParser.map("properties", known));
    }
    return object;
  }

  private static Map<String, Object> together(Map<String, Object> a, Map<String, Object> b) {
    Map<String, Object> both = new LinkedHashMap<>(a);
    b.forEach((name, value) -> {
      if (name.equals("properties") && both.get(name) != null) {
        Map<String, Object> inner = new LinkedHashMap<>(MappingParser.map(name, both.get(name)));
        MappingParser.map(name, value).forEach((n, d) -> put(inner, n, d));
        both.put(name, inner);
      } else {
        both.put(name, value);
      }
    });
    return both;
  }
}
