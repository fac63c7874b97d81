package io.varve.security;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.varve.events.Feature;
import java.util.List;

/**
 * A change of the security state, as recorded in the security topic. It contains the result of a
 * decision, so every reader applies it in the same way. Each change is one record: it takes effect
 * as a whole or not at all.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SecurityEvent.UserPut.class, name = "user_put"),
  @JsonSubTypes.Type(value = SecurityEvent.UserDeleted.class, name = "user_deleted"),
  @JsonSubTypes.Type(value = SecurityEvent.RolePut.class, name = "role_put"),
  @JsonSubTypes.Type(value = SecurityEvent.RoleDeleted.class, name = "role_deleted"),
  @JsonSubTypes.Type(value = SecurityEvent.MappingPut.class, name = "mapping_put"),
  @JsonSubTypes.Type(value = SecurityEvent.MappingDeleted.class, name = "mapping_deleted"),
  @JsonSubTypes.Type(value = SecurityEvent.ApiKeyCreated.class, name = "api_key_created"),
  @JsonSubTypes.Type(value = SecurityEvent.ApiKeysInvalidated.class, name = "api_keys_invalidated"),
  @JsonSubTypes.Type(value = SecurityEvent.AllChanged.class, name = "all_changed"),
})
public sealed interface SecurityEvent {

  /** The entity that the event changes: the key of its record. */
  default String entity() {
    return switch (this) {
      case UserPut e -> "user:" + e.user().name();
      case UserDeleted e -> "user:" + e.name();
      case RolePut e -> "role:" + e.role().name();
      case RoleDeleted e -> "role:" + e.name();
      case MappingPut e -> "mapping:" + e.mapping().role();
      case MappingDeleted e -> "mapping:" + e.role();
      case ApiKeyCreated e -> "api_key:" + e.key().id();
      case ApiKeysInvalidated _ -> "api_keys";
      case AllChanged _ -> "all";
    };
  }

  /** The feature level that introduced the event. */
  default int since() {
    return Feature.SECURITY.since();
  }

  /** Creates or replaces a user. */
  record UserPut(User user) implements SecurityEvent {}

  /** The user's API keys are invalid from then on. */
  record UserDeleted(String name) implements SecurityEvent {}

  /** Creates or replaces a role. */
  record RolePut(Role role) implements SecurityEvent {}

  record RoleDeleted(String name) implements SecurityEvent {}

  /** Creates or replaces the mapping of a role. */
  record MappingPut(RoleMapping mapping) implements SecurityEvent {}

  record MappingDeleted(String role) implements SecurityEvent {}

  /** Creates an API key; removes keys that expired before its creation. */
  record ApiKeyCreated(ApiKey key) implements SecurityEvent {}

  record ApiKeysInvalidated(List<String> ids) implements SecurityEvent {
    public ApiKeysInvalidated {
      ids = List.copyOf(ids);
    }
  }

  /** Several changes that take effect together. */
  record AllChanged(List<SecurityEvent> changes) implements SecurityEvent {
    public AllChanged {
      changes = List.copyOf(changes);
    }

    @Override
    public int since() {
      return Feature.SECURITY_CHANGES.since();
    }
  }
}
