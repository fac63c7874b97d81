package io.varve.conformance.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves the path of a value in a response: {@code hits.hits.0._source.a\.b}. */
final class ObjectPath {

  private static final String ANY_KEY = "_arbitrary_key_";

  private ObjectPath() {}

  /** Returns the value at the path, or null if there is none. */
  static @Nullable Object find(@Nullable Object root, String path, Stash stash) {
    Object value = root;
    for (String part : split(path)) {
      if (value == null) {
        return null;
      }
      value = step(value, String.valueOf(stash.resolve(part)), path);
    }
    return value;
  }

  private static @Nullable Object step(Object value, String part, String path) {
    return switch (value) {
      case Map<?, ?> map when part.equals(ANY_KEY) -> {
        if (map.isEmpty()) {
          throw new CheckFailure("[" + path + "] needs a key of an empty object");
        }
        yield map.keySet().iterator().next();
      }
      case Map<?, ?> map -> map.get(part);
      case List<?> list -> element(list, part, path);
      default -> null;
    };
  }

  private static @Nullable Object element(List<?> list, String part, String path) {
    int index;
    try {
      index = Integer.parseInt(part);
    } catch (NumberFormatException e) {
      throw new CheckFailure("[" + path + "] reaches a list at [" + part + "]");
    }
    if (index >= list.size()) {
      throw new CheckFailure(
          "[" + path + "] needs element " + index + " of a list of size " + list.size());
    }
    return list.get(index);
  }

  private static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    boolean inBraces = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\' && i + 1 < path.length() && path.charAt(i + 1) == '.') {
        part.append('.');
        i++;
      } else if (c == '.' && !inBraces) {
        addPart(parts, part);
      } else {
        inBraces = c == '{' || (inBraces && c != '}');
        part.append(c);
      }
    }
    addPart(parts, part);
    return parts;
  }

  private static void addPart(List<String> parts, StringBuilder part) {
    if (!part.isEmpty()) {
      parts.add(part.toString());
      part.setLength(0);
    }
  }
}
