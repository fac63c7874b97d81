package io.varve.node.spring;

import java.util.Set;

/**
 * What a service is for.
 *
 * @param name of the service, from which a node without a name makes one
 */
public record NodeRole(String name, Set<String> roles) {
  public NodeRole {
    roles = Set.copyOf(roles);
  }
}
