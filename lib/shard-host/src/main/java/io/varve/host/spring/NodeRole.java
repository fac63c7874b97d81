package io.varve.host.spring;

import io.varve.cluster.NodeInfo;
import java.util.Set;

/**
 * The role of a service.
 *
 * @param name of the service, from which a node without a name makes one
 */
public record NodeRole(String name, Set<String> roles) {
  public NodeRole {
    roles = Set.copyOf(roles);
  }

  /**
   * The roles of a node of this service, for which those were configured, or none.
   *
   * @throws IllegalArgumentException the service holds no copies, so there is no choice
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
