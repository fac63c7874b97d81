package io.varve.security;

import java.util.List;

/**
 * A set of permissions.
 *
 * @param clusterPermissions action groups, or actions with {@code *}, that do not concern single
 *     indices
 */
public record Role(
    String name,
    String description,
    List<String> clusterPermissions,
    List<IndexPermission> indexPermissions) {

  public Role {
    Names.require("role", name);
    clusterPermissions = List.copyOf(clusterPermissions);
    indexPermissions = List.copyOf(indexPermissions);
    ActionGroups.requireKnown(clusterPermissions);
  }
}
