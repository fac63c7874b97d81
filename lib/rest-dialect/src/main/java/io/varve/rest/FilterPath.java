package io.varve.rest;

import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a response to the fields that {@code filter_path} names, and removes those that it names
 * after a minus. {@code *} matches any part of a name, {@code **} any number of names.
 *
 * <p>Arrays are transparent: a path names the fields of their elements. Objects and arrays that
 * become empty are removed. Exclusions are applied before inclusions.
 */
public final class FilterPath {

  private record Path(List<String> names, int at) {

    boolean ends() {
      return at == names.size();
    }

    /** The positions in this path that apply below the field {@code name}. */
    List<Path> below(String name) {
      List<Path> next = new ArrayList<>(2);
      String pattern = names.get(at);
      if (pattern.equals("**")) {
        next.add(this);
        if (at + 1 < names.size()) {
          next.addAll(new Path(names, at + 1).below(name));
        } else {
          next.add(new Path(names, at + 1));
        }
      } else if (Wildcard.matches(pattern, name)) {
        next.add(new Path(names, at + 1));
      }
      return next;
    }
  }

  private final List<Path> includes = new ArrayList<>();
  private final List<Path> excludes = new ArrayList<>();

  private FilterPath(List<String> expressions) {
    for (String expression : expressions) {
      String stripped = expression.strip();
      boolean exclude = stripped.startsWith("-");
      String path = exclude ? stripped.substring(1) : stripped;
      if (!path.isEmpty()) {
        (exclude ? excludes : includes).add(new Path(names(path), 0));
      }
    }
  }

  /** {@code null} if the expression names no field. */
  public static @Nullable FilterPath parse(@Nullable String expression) {
    if (expression == null || expression.isEmpty()) {
      return null;
    }
    FilterPath filter = new FilterPath(List.of(expression.split(",", -1)));
    return filter.includes.isEmpty() && filter.excludes.isEmpty() ? null : filter;
  }

  /** Names are separated by dots; a dot after a backslash belongs to the name. */
  private static List<String> names(String path) {
    List<String> names = new ArrayList<>();
    for (String name : path.split("(?<!\\\\)\\.", -1)) {
      names.add(name.replace("\\.", "."));
    }
    return names;
  }

  Object apply(Object document) {
    Object left = document;
    if (!excludes.isEmpty()) {
      left = exclude(left, excludes);
    }
    if (left != null && !includes.isEmpty()) {
      left = include(left, includes);
    }
    return left == null ? Map.of() : left;
  }

  private static @Nullable Object include(@Nullable Object value, List<Path> paths) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        map.forEach((key, child) -> {
          String name = String.valueOf(key);
          List<Path> next = below(paths, name);
          if (next.stream().anyMatch(Path::ends)) {
            kept.put(name, child);
          } else if (!next.isEmpty()) {
            Object part = include(child, next);
            if (part != null) {
              kept.put(name, part);
            }
          }
        });
        yield kept.isEmpty() ? null : kept;
      }
      case List<?> list -> {
        List<Object> kept = new ArrayList<>();
        for (Object element : list) {
          Object part = include(element, paths);
          if (part != null) {
            kept.add(part);
          }
        }
        yield kept.isEmpty() ? null : kept;
      }
      case null, default -> null;
    };
  }

  private static @Nullable Object exclude(@Nullable Object value, List<Path> paths) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        map.forEach((key, child) -> {
          String name = String.valueOf(key);
          List<Path> next = below(paths, name);
          if (next.isEmpty()) {
            kept.put(name, child);
          } else if (next.stream().noneMatch(Path::ends)) {
            Object rest = exclude(child, next);
            if (rest != null || child == null) {
              kept.put(name, rest);
            }
          }
        });
        yield kept.isEmpty() ? null : kept;
      }
      case List<?> list -> {
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object element : list) {
          Object rest = exclude(element, paths);
          if (rest != null || element == null) {
            kept.add(rest);
          }
        }
        yield kept.isEmpty() ? null : kept;
      }
      case null, default -> value;
    };
  }

  private static List<Path> below(List<Path> paths, String name) {
    // Several ** match the same position in many ways.
    return paths.stream().flatMap(path -> path.below(name).stream()).distinct().toList();
  }
}
