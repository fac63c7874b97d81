package io.varve.search.aggregation.pipeline;

import java.util.function.Predicate;

/**
 * The aggregation at the start of a path: all up to the first {@code >}; where there is none of
 * that name, all up to the dot behind which the path goes on within its buckets.
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
