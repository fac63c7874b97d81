package io.varve.rpc;

import java.util.Map;

/**
 * What a node says of itself, by section, in the words of the dialect: {@code info} is what it is,
 * {@code stats} how it fares.
 */
public record NodeFigures(Map<String, Object> info, Map<String, Object> stats) {

  /** An object of {@code info}; empty when the node doesn't tell. */
  public Map<?, ?> info(String section) {
    return info.get(section) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** An object of {@code stats}; empty when the node doesn't tell. */
  public Map<?, ?> stats(String section) {
    return stats.get(section) instanceof Map<?, ?> map ? map : Map.of();
  }

  /**
   * The number at the end of a path through {@code stats}; {@code otherwise} when none is there.
   */
  public double number(double otherwise, String... path) {
    Object value = stats;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value instanceof Number number ? number.doubleValue() : otherwise;
  }
}
