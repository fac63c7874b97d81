package io.varve.security;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * A requested change of the security state, which {@link SecurityDecisions} turns into an event or
 * refuses. Coordinators send it to the leading one as JSON. It contains hashes, never passwords.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "command")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SecurityCommand.Initialize.class, name = "initialize"),
  @JsonSubTypes.Type(value = SecurityCommand.PutUser.class, name = "put_user"),
  @JsonSubTypes.Type(value = SecurityCommand.ChangePassword.class, name = "change_password"),
  @JsonSubTypes.Type(value = SecurityCommand.DeleteUser.class, name = "delete_user"),
  @JsonSubTypes.Type(value = SecurityCommand.PutRole.class, name = "put_role"),
  @JsonSubTypes.Type(value = SecurityCommand.DeleteRole.class, name = "delete_role"),
  @JsonSubTypes.Type(value = SecurityCommand.PutMapping.class, name = "put_mapping"),
  @JsonSubTypes.Type(value = SecurityCommand.DeleteMapping.class, name = "delete_mapping"),
  @JsonSubTypes.Type(value = SecurityCommand.CreateApiKey.class, name = "create_api_key"),
  @JsonSubTypes.Type(value = SecurityCommand.InvalidateApiKeys.class, name = "invalidate_api_keys"),
  @JsonSubTypes.Type(value = SecurityCommand.ChangeAll.class, name = "change_all"),
})
public sealed interface SecurityCommand {

  /** Creates the first user, if there is none. */
  record Initialize(User admin) implements SecurityCommand {}

  /** Creates or replaces a user; an empty hash keeps the password of an existing one. */
  record PutUser(User user) implements SecurityCommand {}

  record ChangePassword(String name, String hash) implements SecurityCommand {
    @Override
    public String toString() {
      return "ChangePassword[" + name + "]";
    }
  }

  record DeleteUser(String name) implements SecurityCommand {}

  record PutRole(Role role) implements SecurityCommand {}

  record DeleteRole(String name) implements SecurityCommand {}

  record PutMapping(RoleMapping mapping) implements SecurityCommand {}

  record DeleteMapping(String role) implements SecurityCommand {}

  record CreateApiKey(ApiKey key) implements SecurityCommand {}

  record InvalidateApiKeys(List<String> ids) implements SecurityCommand {
    public InvalidateApiKeys {
      ids = List.copyOf(ids);
    }
  }

  /**
   * Executes all commands or none, in this order.
   *
   * @param version the version of the state from which the commands were derived; on any other
   *     state they are refused
   */
  record ChangeAll(long version, List<SecurityCommand> commands) implements SecurityCommand {
    public ChangeAll {
      commands = List.copyOf(commands);
    }
  }
}
