package io.varve.standalone.compose;

import java.util.List;
import java.util.Map;

/** Reads parts of a YAML tree; a part that is missing is empty. */
final class Trees {

  private Trees() {}

  static Map<?, ?> map(Map<?, ?> from, String key) {
    return from.get(key) instanceof Map<?, ?> map ? map : Map.of();
  }

  static List<?> list(Map<?, ?> from, String key) {
    return from.get(key) instanceof List<?> list ? list : List.of();
  }

  static String text(Map<?, ?> from, String key) {
    Object value = from.get(key);
    return value == null ? "" : String.valueOf(value);
  }
}
