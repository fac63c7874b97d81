package io.varve.security;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user on whose behalf a request is executed.
 *
 * @param roles names of all its roles, mapped ones included
 * @param apiKeyId the key with which it authenticated; null for a password
 */
public record Principal(
    String name, List<String> backendRoles, Set<String> roles, @Nullable String apiKeyId) {

  public Principal {
    backendRoles = List.copyOf(backendRoles);
    roles = Set.copyOf(roles);
  }

  /** The name of the user in OpenSearch's errors. */
  @Override
  public String toString() {
    return "User [name=" + name + ", backend_roles=" + backendRoles + ", requestedTenant=null]";
  }
}
