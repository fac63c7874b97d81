package io.varve.rpc;

import java.util.Map;

/** A node's info and statistics by section, in the terms of the REST dialect. */
public record NodeDetails(Map<String, Object> info, Map<String, Object> stats) {

  /** A section of {@code info}; empty if the node does not report it. */
  public Map<?, ?> info(String section) {
    return info.get(section) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** A section of {@code stats}; empty if the node does not report it. */
  public Map<?, ?> stats(String section) {
    return stats.get(section) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** The number at a path through {@code stats}; {@code otherwise} if there is none. */
  public double number(double otherwise, String... path) {
    Object value = stats;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value instanceof Number number ? number.doubleValue() : otherwise;
  }
}
