package io.varve.coordinator.access;

import java.util.List;
import java.util.stream.Stream;

/**
 * The permissions that a route requires.
 *
 * @param action OpenSearch's name of the action
 * @param scope where the action must be allowed
 * @param onIndices the actions that must be allowed on every index that the request names; none for
 *     an action on the cluster as a whole
 * @param onTargets the same for indices to which the request writes
 */
public record RouteAction(
    String action, Scope scope, List<String> onIndices, List<String> onTargets) {

  /** Where an action must be allowed. */
  public enum Scope {
    /** No permission is required: every user may do it for its own account. */
    ANYONE,
    /** On the cluster as a whole. */
    CLUSTER,
    /** On the indices that the request names. */
    INDICES,
    /** On the cluster as a whole, and parts of the request on their indices. */
    COMPOSITE
  }

  public RouteAction {
    onIndices = List.copyOf(onIndices);
    onTargets = List.copyOf(onTargets);
  }

  static RouteAction anyone(String action) {
    return new RouteAction(action, Scope.ANYONE, List.of(), List.of());
  }

  static RouteAction cluster(String action) {
    return new RouteAction(action, Scope.CLUSTER, List.of(), List.of());
  }

  /**
   * @param more actions that are also required, because the request consists of them
   */
  static RouteAction indices(String action, String... more) {
    List<String> all = Stream.concat(Stream.of(action), Stream.of(more)).toList();
    return new RouteAction(action, Scope.INDICES, all, all);
  }

  static RouteAction composite(String action, String onIndices) {
    return new RouteAction(action, Scope.COMPOSITE, List.of(onIndices), List.of(onIndices));
  }

  static RouteAction composite(String action, String onIndices, String onTargets) {
    return new RouteAction(action, Scope.COMPOSITE, List.of(onIndices), List.of(onTargets));
  }
}
