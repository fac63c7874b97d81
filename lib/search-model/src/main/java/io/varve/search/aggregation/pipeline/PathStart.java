package io.varve.search.aggregation.pipeline;

import java.util.function.Predicate;

/**
 * Finds the aggregation at the start of a path: the name before the first {@code >} or, if there is
 * no aggregation of that name, the name before a dot.
 */
public final class PathStart {

  private PathStart() {}

  public static String of(String path, Predicate<String> exists) {
    int inner = path.indexOf('>');
    String first = inner < 0 ? path : path.substring(0, inner);
    int dot = first.indexOf('.');
    return exists.test(first) || dot < 0 || !exists.test(first.substring(0, dot))
        ? first
        : first.substring(0, dot);
  }
}
