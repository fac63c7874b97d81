package io.varve.security;

import io.varve.names.Wildcard;
import java.util.List;

/**
 * Gives a role to users.
 *
 * @param role the name of the role
 * @param users names of users, with {@code *}
 * @param backendRoles names of groups, with {@code *}; one of them suffices
 */
public record RoleMapping(
    String role, List<String> users, List<String> backendRoles, String description) {

  public RoleMapping {
    Names.require("role", role);
    users = List.copyOf(users);
    backendRoles = List.copyOf(backendRoles);
  }

  boolean appliesTo(User user) {
    return users.stream().anyMatch(pattern -> Wildcard.matches(pattern, user.name()))
        || backendRoles.stream()
            .anyMatch(pattern ->
                user.backendRoles().stream().anyMatch(role -> Wildcard.matches(pattern, role)));
  }
}
