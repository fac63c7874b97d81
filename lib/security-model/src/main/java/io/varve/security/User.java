package io.varve.security;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A user with a password.
 *
 * @param hash of the password, with the id of its algorithm: {@code {bcrypt}$2a$10$…}
 * @param roles that the user has without a mapping
 * @param backendRoles groups to which role mappings refer
 * @param reserved whether the user can't be deleted, and its roles can't be changed
 */
public record User(
    String name,
    String hash,
    List<String> roles,
    List<String> backendRoles,
    Map<String, String> attributes,
    String description,
    boolean reserved) {

  public User {
    Names.require("user", name);
    roles = List.copyOf(roles);
    backendRoles = List.copyOf(backendRoles);
    attributes = new TreeMap<>(attributes);
  }

  public User withHash(String newHash) {
    return new User(name, newHash, roles, backendRoles, attributes, description, reserved);
  }

  /** Without the hash, so that no log contains it. */
  @Override
  public String toString() {
    return "User[" + name + "]";
  }
}
