package io.varve.coordinator.rest.routing;

import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;

/** A coordinator and its two nodes, with real HTTP between them. */
abstract class RoutedOverHttp {

  static final String PRIMARY = FakeCluster.PRIMARY_NODE;
  static final String REPLICA = FakeCluster.REPLICA_NODE;

  final RestHarness rest;
  final RoutedSearches world;

  RoutedOverHttp() {
    this(RestHarness.overHttp());
  }

  RoutedOverHttp(RestHarness rest) {
    this.rest = rest;
    this.world = new RoutedSearches(rest);
  }

  @AfterEach
  void close() {
    world.close();
  }

  void set(String name, String value) {
    rest.cluster.setting(name, value);
  }
}
