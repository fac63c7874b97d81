package io.varve.engine.search;

import io.varve.events.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A source as maps, lists and scalars, with access by full name. */
final class SourceTree {

  private final Map<?, ?> root;

  private SourceTree(Map<?, ?> root) {
    this.root = root;
  }

  static SourceTree parse(byte[] source) {
    return new SourceTree(Json.mapper().readValue(source, Map.class));
  }

  static SourceTree of(Map<?, ?> root) {
    return new SourceTree(root);
  }

  Map<?, ?> root() {
    return root;
  }

  /** All values of a name, including objects; lists are flattened. */
  List<@Nullable Object> values(String path) {
    List<@Nullable Object> found = new ArrayList<>();
    collect(root, path, found);
    return found;
  }

  /** The values of a name as in the source, without flattening. */
  List<Object> whole(String path) {
    List<Object> found = new ArrayList<>();
    collectWhole(root, path, found);
    return found;
  }

  private static void collectWhole(Map<?, ?> object, String path, List<Object> into) {
    Object own = object.get(path);
    if (own != null) {
      into.add(own);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      String rest = path.substring(dot + 1);
      switch (object.get(path.substring(0, dot))) {
        case Map<?, ?> inner -> collectWhole(inner, rest, into);
        case List<?> list -> {
          for (Object one : list) {
            if (one instanceof Map<?, ?> inner) {
              collectWhole(inner, rest, into);
            }
          }
        }
        case null, default -> {}
      }
    }
  }

  /** The scalars of a name. */
  List<Object> scalars(String path) {
    List<Object> scalars = new ArrayList<>();
    for (Object value : values(path)) {
      if (value != null && !(value instanceof Map)) {
        scalars.add(value);
      }
    }
    return scalars;
  }

  /** Collects the values of a name. Keys of the source may contain dots. */
  private static void collect(Map<?, ?> object, String path, List<@Nullable Object> into) {
    if (object.containsKey(path)) {
      addAll(object.get(path), into);
    }
    for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
      Object inner = object.get(path.substring(0, dot));
      if (inner != null) {
        descend(inner, path.substring(dot + 1), into);
      }
    }
  }

  private static void descend(Object value, String path, List<@Nullable Object> into) {
    if (value instanceof Map<?, ?> object) {
      collect(object, path, into);
    } else if (value instanceof List<?> list) {
      for (Object one : list) {
        if (one != null) {
          descend(one, path, into);
        }
      }
    }
  }

  private static void addAll(@Nullable Object value, List<@Nullable Object> into) {
    if (value instanceof List<?> list) {
      list.forEach(one -> addAll(one, into));
    } else {
      into.add(value);
    }
  }
}
