package io.varve.security;

import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;

/** Decides commands on the newest state. Pure. */
public final class SecurityDecisions {

  /** The result of a decision. */
  public sealed interface Decision {

    /**
     * @param created whether it creates an entity that did not exist
     */
    record Change(SecurityEvent event, boolean created) implements Decision {}

    /** The state is already as requested. */
    record Nothing() implements Decision {}

    record Refused(ErrorBody error) implements Decision {}
  }

  /** The type of the error that refuses a change of an older state. */
  public static final String VERSION_CONFLICT = "version_conflict_engine_exception";

  private static final Decision NOTHING = new Decision.Nothing();

  private SecurityDecisions() {}

  public static Decision decide(SecurityState state, SecurityCommand command) {
    return switch (command) {
      case SecurityCommand.Initialize(var admin) ->
          state.users().isEmpty() ? change(new SecurityEvent.UserPut(admin), true) : NOTHING;
      case SecurityCommand.PutUser(var user) -> put(state, user);
      case SecurityCommand.ChangePassword(var name, var hash) -> changePassword(state, name, hash);
      case SecurityCommand.DeleteUser(var name) -> delete(state, name);
      case SecurityCommand.PutRole(var role) ->
          BuiltInRoles.ALL.containsKey(role.name())
              ? reserved(role.name())
              : change(new SecurityEvent.RolePut(role), !state.roles().containsKey(role.name()));
      case SecurityCommand.DeleteRole(var name) -> deleteRole(state, name);
      case SecurityCommand.PutMapping(var mapping) -> put(state, mapping);
      case SecurityCommand.DeleteMapping(var role) ->
          state.mappings().containsKey(role)
              ? change(new SecurityEvent.MappingDeleted(role), false)
              : missing("role mapping", role);
      case SecurityCommand.CreateApiKey(var key) -> create(state, key);
      case SecurityCommand.InvalidateApiKeys(var ids) ->
          ids.stream().anyMatch(state.apiKeys()::containsKey)
              ? change(new SecurityEvent.ApiKeysInvalidated(ids), false)
              : NOTHING;
      case SecurityCommand.ChangeAll(long version, var commands) ->
          state.version() == version ? changeAll(state, commands) : conflict(state, version);
    };
  }

  /** Each command is decided on the state that results from the earlier ones. */
  private static Decision changeAll(SecurityState state, List<SecurityCommand> commands) {
    List<SecurityEvent> events = new ArrayList<>();
    SecurityState next = state;
    for (SecurityCommand command : commands) {
      switch (decide(next, command)) {
        case Decision.Refused refused -> {
          return refused;
        }
        case Decision.Nothing() -> {}
        case Decision.Change(var event, var _) -> {
          events.add(event);
          next = next.apply(event);
        }
      }
    }
    return switch (events.size()) {
      case 0 -> NOTHING;
      case 1 -> change(events.getFirst(), false);
      default -> change(new SecurityEvent.AllChanged(events), false);
    };
  }

  private static Decision conflict(SecurityState state, long version) {
    return refused(
        409,
        VERSION_CONFLICT,
        "the security state has version "
            + state.version()
            + ", but the change was derived from version "
            + version);
  }

  private static Decision put(SecurityState state, User user) {
    User known = state.users().get(user.name());
    if (known != null && known.reserved()) {
      return reserved(user.name());
    }
    for (String role : user.roles()) {
      if (state.role(role).isEmpty()) {
        return missing("role", role);
      }
    }
    if (!user.hash().isEmpty()) {
      return change(new SecurityEvent.UserPut(user), known == null);
    }
    return known == null
        ? refused(400, "illegal_argument_exception", "Please specify either 'hash' or 'password'")
        : change(new SecurityEvent.UserPut(user.withHash(known.hash())), false);
  }

  private static Decision changePassword(SecurityState state, String name, String hash) {
    User known = state.users().get(name);
    return known == null
        ? missing("user", name)
        : change(new SecurityEvent.UserPut(known.withHash(hash)), false);
  }

  private static Decision delete(SecurityState state, String name) {
    User known = state.users().get(name);
    if (known == null) {
      return missing("user", name);
    }
    return known.reserved() ? reserved(name) : change(new SecurityEvent.UserDeleted(name), false);
  }

  private static Decision deleteRole(SecurityState state, String name) {
    if (BuiltInRoles.ALL.containsKey(name)) {
      return reserved(name);
    }
    return state.roles().containsKey(name)
        ? change(new SecurityEvent.RoleDeleted(name), false)
        : missing("role", name);
  }

  private static Decision put(SecurityState state, RoleMapping mapping) {
    return state.role(mapping.role()).isEmpty()
        ? missing("role", mapping.role())
        : change(
            new SecurityEvent.MappingPut(mapping), !state.mappings().containsKey(mapping.role()));
  }

  private static Decision create(SecurityState state, ApiKey key) {
    if (state.apiKeys().containsKey(key.id())) {
      return refused(409, VERSION_CONFLICT, "the id of the API key is taken");
    }
    return state.users().containsKey(key.owner())
        ? change(new SecurityEvent.ApiKeyCreated(key), true)
        : missing("user", key.owner());
  }

  private static Decision change(SecurityEvent event, boolean created) {
    return new Decision.Change(event, created);
  }

  private static Decision missing(String kind, String name) {
    return refused(404, "resource_not_found_exception", "there is no " + kind + " [" + name + "]");
  }

  private static Decision reserved(String name) {
    return refused(403, "security_exception", "Resource '" + name + "' is reserved.");
  }

  private static Decision refused(int status, String type, String reason) {
    return new Decision.Refused(ErrorBody.of(status, type, reason));
  }
}
