package io.varve.coordinator.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.security.ApiKey;
import io.varve.security.IndexPermission;
import io.varve.security.Role;
import io.varve.security.RoleMapping;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityEvent;
import io.varve.security.User;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of records in the security topic, and the commands that coordinators send. */
class GoldenSecurityTest {

  private static final String GROUP = "security";

  private static final User USER =
      new User(
          "ann",
          "{bcrypt}$2a$10$hash",
          List.of("logs"),
          List.of("staff"),
          Map.of("team", "search"),
          "reads logs",
          false);
  private static final Role ROLE =
      new Role(
          "logs",
          "logs of all teams",
          List.of("cluster_composite_ops"),
          List.of(new IndexPermission(List.of("logs-*"), List.of("crud"))));
  private static final RoleMapping MAPPING =
      new RoleMapping("logs", List.of("ann"), List.of("staff"), "by team");
  private static final ApiKey KEY =
      new ApiKey("k1", "importer", "ann", "00ff", 1_700_000_000_000L, 1_700_000_060_000L);

  private record Named(String name, SecurityEvent event) {}

  private record Sent(String name, SecurityCommand command) {

    int since() {
      return command instanceof SecurityCommand.ChangeAll ? 3 : 2;
    }
  }

  private static List<Named> events() {
    return List.of(
        new Named("user_put", new SecurityEvent.UserPut(USER)),
        new Named("user_deleted", new SecurityEvent.UserDeleted("ann")),
        new Named("role_put", new SecurityEvent.RolePut(ROLE)),
        new Named("role_deleted", new SecurityEvent.RoleDeleted("logs")),
        new Named("mapping_put", new SecurityEvent.MappingPut(MAPPING)),
        new Named("mapping_deleted", new SecurityEvent.MappingDeleted("logs")),
        new Named("api_key_created", new SecurityEvent.ApiKeyCreated(KEY)),
        new Named(
            "api_keys_invalidated", new SecurityEvent.ApiKeysInvalidated(List.of("k1", "k2"))),
        new Named(
            "all_changed",
            new SecurityEvent.AllChanged(
                List.of(
                    new SecurityEvent.RolePut(ROLE), new SecurityEvent.RoleDeleted("metrics")))));
  }

  private static List<Sent> commands() {
    return List.of(
        new Sent("command_initialize", new SecurityCommand.Initialize(USER)),
        new Sent("command_put_user", new SecurityCommand.PutUser(USER)),
        new Sent("command_change_password", new SecurityCommand.ChangePassword("ann", "{bcrypt}x")),
        new Sent("command_delete_user", new SecurityCommand.DeleteUser("ann")),
        new Sent("command_put_role", new SecurityCommand.PutRole(ROLE)),
        new Sent("command_delete_role", new SecurityCommand.DeleteRole("logs")),
        new Sent("command_put_mapping", new SecurityCommand.PutMapping(MAPPING)),
        new Sent("command_delete_mapping", new SecurityCommand.DeleteMapping("logs")),
        new Sent("command_create_api_key", new SecurityCommand.CreateApiKey(KEY)),
        new Sent(
            "command_invalidate_api_keys", new SecurityCommand.InvalidateApiKeys(List.of("k1"))),
        new Sent(
            "command_change_all",
            new SecurityCommand.ChangeAll(
                7,
                List.of(
                    new SecurityCommand.PutRole(ROLE),
                    new SecurityCommand.DeleteRole("metrics")))));
  }

  static Stream<Golden.Sample> samples() {
    return Stream.concat(
        events().stream()
            .map(named ->
                Golden.Sample.json(
                    named.event().since(),
                    GROUP,
                    named.name(),
                    named.event(),
                    SecurityEvent.class)),
        commands().stream()
            .map(sent ->
                Golden.Sample.json(
                    sent.since(), GROUP, sent.name(), sent.command(), SecurityCommand.class)));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aRecordIsWrittenAndReadAsItsLevelHasIt(Golden.Sample sample) throws IOException {
    Golden.matches(sample);
  }

  @Test
  void eachKindHasItsGoldenBytes() throws IOException {
    assertThat(
            events().stream()
                .<Class<?>>map(named -> named.event().getClass())
                .collect(Collectors.toSet()))
        .isEqualTo(Set.of(SecurityEvent.class.getPermittedSubclasses()));
    assertThat(
            commands().stream()
                .<Class<?>>map(sent -> sent.command().getClass())
                .collect(Collectors.toSet()))
        .isEqualTo(Set.of(SecurityCommand.class.getPermittedSubclasses()));
    Golden.assertAllTested(GROUP, samples());
  }
}
