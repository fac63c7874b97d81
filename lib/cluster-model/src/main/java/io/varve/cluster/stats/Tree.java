package io.varve.cluster.stats;

import java.util.LinkedHashMap;
import java.util.Map;

/** Builds JSON objects that keep the order of their fields. */
final class Tree {

  private Tree() {}

  /** An object from alternating names and values. */
  static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      tree.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return tree;
  }

  /** In whole percent, 0 of nothing. */
  static long percent(long part, long whole) {
    return whole <= 0 ? 0 : Math.round(100.0 * part / whole);
  }
}
