package io.varve.security;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Users, roles, mappings and API keys: the fold of the accepted {@link SecurityEvent}s. Immutable.
 *
 * @param version the number of events applied; one with several changes counts once
 */
public record SecurityState(
    long version,
    Map<String, User> users,
    Map<String, Role> roles,
    Map<String, RoleMapping> mappings,
    Map<String, ApiKey> apiKeys) {

  public static final SecurityState EMPTY =
      new SecurityState(0, Map.of(), Map.of(), Map.of(), Map.of());

  public SecurityState {
    users = sorted(users);
    roles = sorted(roles);
    mappings = sorted(mappings);
    apiKeys = sorted(apiKeys);
  }

  private static <T> Map<String, T> sorted(Map<String, T> map) {
    return Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /** The only place where an event changes the state. */
  public SecurityState apply(SecurityEvent event) {
    return switch (event) {
      case SecurityEvent.UserPut(var user) -> withUsers(users -> users.put(user.name(), user));
      case SecurityEvent.UserDeleted(var name) ->
          new SecurityState(
              version + 1,
              changed(users, map -> map.remove(name)),
              roles,
              mappings,
              changed(apiKeys, map -> map.values().removeIf(key -> key.owner().equals(name))));
      case SecurityEvent.RolePut(var role) -> withRoles(map -> map.put(role.name(), role));
      case SecurityEvent.RoleDeleted(var name) -> withRoles(map -> map.remove(name));
      case SecurityEvent.MappingPut(var mapping) ->
          withMappings(map -> map.put(mapping.role(), mapping));
      case SecurityEvent.MappingDeleted(var role) -> withMappings(map -> map.remove(role));
      case SecurityEvent.ApiKeyCreated(var key) ->
          withApiKeys(map -> {
            map.values().removeIf(old -> old.isExpired(key.createdMillis()));
            map.put(key.id(), key);
          });
      case SecurityEvent.ApiKeysInvalidated(var ids) ->
          withApiKeys(map -> map.keySet().removeAll(Set.copyOf(ids)));
      case SecurityEvent.AllChanged(var changes) -> withAll(changes);
    };
  }

  private SecurityState withAll(List<SecurityEvent> changes) {
    SecurityState all = this;
    for (SecurityEvent change : changes) {
      all = all.apply(change);
    }
    return new SecurityState(version + 1, all.users, all.roles, all.mappings, all.apiKeys);
  }

  private SecurityState withUsers(Consumer<Map<String, User>> change) {
    return new SecurityState(version + 1, changed(users, change), roles, mappings, apiKeys);
  }

  private SecurityState withRoles(Consumer<Map<String, Role>> change) {
    return new SecurityState(version + 1, users, changed(roles, change), mappings, apiKeys);
  }

  private SecurityState withMappings(Consumer<Map<String, RoleMapping>> change) {
    return new SecurityState(version + 1, users, roles, changed(mappings, change), apiKeys);
  }

  private SecurityState withApiKeys(Consumer<Map<String, ApiKey>> change) {
    return new SecurityState(version + 1, users, roles, mappings, changed(apiKeys, change));
  }

  private static <T> Map<String, T> changed(Map<String, T> map, Consumer<Map<String, T>> change) {
    Map<String, T> copy = new TreeMap<>(map);
    change.accept(copy);
    return copy;
  }

  /** A role of this cluster, or a built-in one. */
  public Optional<Role> role(String name) {
    Role builtIn = BuiltInRoles.ALL.get(name);
    return Optional.ofNullable(builtIn == null ? roles.get(name) : builtIn);
  }

  /** The user as the principal of a request, with the roles that mappings give it. */
  public Principal principal(User user, String apiKeyId) {
    return new Principal(
        user.name(), user.backendRoles(), rolesOf(user), apiKeyId.isEmpty() ? null : apiKeyId);
  }

  private Set<String> rolesOf(User user) {
    Set<String> names = new TreeSet<>(user.roles());
    mappings.values().stream()
        .filter(mapping -> mapping.appliesTo(user))
        .forEach(mapping -> names.add(mapping.role()));
    return names;
  }
}
