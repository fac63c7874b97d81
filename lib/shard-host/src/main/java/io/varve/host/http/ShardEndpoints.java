package io.varve.host.http;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Endpoints of copies that one feature, or one kind of copy, adds to a node. */
@FunctionalInterface
public interface ShardEndpoints {

  /** The endpoints by method and name: {@code POST bulk}. */
  Map<String, ShardEndpoint> byName();

  /**
   * The endpoints of all features.
   *
   * @throws IllegalStateException if two have the same method and name
   */
  static Map<String, ShardEndpoint> all(Stream<ShardEndpoints> features) {
    Map<String, ShardEndpoint> all = new HashMap<>();
    features.forEach(feature ->
        feature
            .byName()
            .forEach((name, endpoint) -> {
              if (all.putIfAbsent(name, endpoint) != null) {
                throw new IllegalStateException("two endpoints answer [" + name + "]");
              }
            }));
    return all;
  }
}
