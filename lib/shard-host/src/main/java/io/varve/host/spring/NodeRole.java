package io.varve.host.spring;

import io.varve.cluster.NodeInfo;
import java.util.Set;

/**
 * The role of a service.
 *
 * @param name of the service; the default name of its nodes is derived from it
 */
public record NodeRole(String name, Set<String> roles) {
  public NodeRole {
    roles = Set.copyOf(roles);
  }

  /**
   * The configured roles of a node of this service; if none are configured, the service's own.
   *
   * @throws IllegalArgumentException if roles are configured for a service that holds no copies
   */
  Set<String> orConfigured(Set<String> configured) {
    if (configured.isEmpty()) {
      return roles;
    }
    if (roles.contains(NodeInfo.CCR)) {
      throw new IllegalArgumentException(
          "varve.node.roles does not apply to a " + name + ", which holds no copies");
    }
    return configured;
  }
}
