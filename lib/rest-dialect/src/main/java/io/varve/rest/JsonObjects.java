package io.varve.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of a response, whose fields keep their insertion order. */
public final class JsonObjects {

  private JsonObjects() {}

  /**
   * @param namesAndValues names and values alternately
   */
  public static Map<String, Object> object(@Nullable Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      put(map, String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return map;
  }

  /**
   * Adds a value that may be null, which the response contains as null; the type of the map does
   * not allow it.
   */
  @SuppressWarnings("NullAway")
  private static void put(Map<String, Object> map, String name, @Nullable Object value) {
    map.put(name, value);
  }

  /**
   * Adds the numbers of {@code other} to those of {@code sum}, object by object; if the name of a
   * number begins with {@code max}, the larger one is kept.
   */
  public static void add(Map<String, Object> sum, Map<String, Object> other) {
    other.forEach((name, value) -> {
      Object former = sum.get(name);
      switch (value) {
        case Integer number -> add(sum, Map.of(name, number.longValue()));
        case Long number ->
            sum.put(name, former instanceof Long f ? joined(name, f, number) : number);
        case Double number -> sum.put(name, former instanceof Double f ? f + number : number);
        case Map<?, ?> map -> {
          Map<String, Object> below = former == null ? new LinkedHashMap<>() : cast(former);
          sum.put(name, below);
          add(below, cast(map));
        }
        case null, default -> sum.putIfAbsent(name, value);
      }
    });
  }

  private static long joined(String name, long a, long b) {
    return name.startsWith("max_") ? Math.max(a, b) : a + b;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }
}
