package io.varve.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.security.SecurityDecisions.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecurityDecisionsTest {

  private static final User ADMIN =
      new User("admin", "{noop}1", List.of("admin"), List.of(), Map.of(), "", true);
  private static final User ANN =
      new User("ann", "{noop}2", List.of(), List.of(), Map.of(), "", false);
  private static final Role ROLE = new Role("logs", "", List.of(), List.of());
  private static final ApiKey KEY = new ApiKey("k1", "importer", "ann", "hash", 1_000, 2_000);

  private final SecurityState state =
      SecurityState.EMPTY
          .apply(new SecurityEvent.UserPut(ADMIN))
          .apply(new SecurityEvent.UserPut(ANN))
          .apply(new SecurityEvent.RolePut(ROLE))
          .apply(new SecurityEvent.MappingPut(new RoleMapping("logs", List.of(), List.of(), "")))
          .apply(new SecurityEvent.ApiKeyCreated(KEY));

  record Refused(SecurityCommand command, int status) {}

  static List<Refused> refused() {
    return List.of(
        new Refused(new SecurityCommand.PutUser(ADMIN), 403),
        new Refused(new SecurityCommand.DeleteUser("admin"), 403),
        new Refused(new SecurityCommand.DeleteUser("nobody"), 404),
        new Refused(
            new SecurityCommand.PutUser(
                new User("bob", "", List.of(), List.of(), Map.of(), "", false)),
            400),
        new Refused(
            new SecurityCommand.PutUser(
                new User("bob", "{noop}3", List.of("nothing"), List.of(), Map.of(), "", false)),
            404),
        new Refused(new SecurityCommand.ChangePassword("nobody", "{noop}3"), 404),
        new Refused(new SecurityCommand.PutRole(new Role("admin", "", List.of(), List.of())), 403),
        new Refused(new SecurityCommand.DeleteRole("monitor"), 403),
        new Refused(new SecurityCommand.DeleteRole("nothing"), 404),
        new Refused(
            new SecurityCommand.PutMapping(
                new RoleMapping("nothing", List.of("ann"), List.of(), "")),
            404),
        new Refused(new SecurityCommand.DeleteMapping("monitor"), 404),
        new Refused(new SecurityCommand.CreateApiKey(KEY), 409),
        new Refused(
            new SecurityCommand.ChangeAll(4, List.of(new SecurityCommand.DeleteUser("ann"))), 409),
        new Refused(
            new SecurityCommand.CreateApiKey(new ApiKey("k2", "n", "nobody", "h", 1, 0)), 404));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(Refused refused) {
    assertThat(SecurityDecisions.decide(state, refused.command()))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            decision -> assertThat(decision.error().status()).isEqualTo(refused.status()));
  }

  private SecurityState after(SecurityCommand command) {
    return SecurityDecisions.decide(state, command) instanceof Decision.Change(var event, var _)
        ? state.apply(event)
        : state;
  }

  @Test
  void aPasswordIsKeptUnlessANewOneIsGiven() {
    User renamed = new User("ann", "", List.of(), List.of("staff"), Map.of(), "", false);

    User ann = after(new SecurityCommand.PutUser(renamed)).users().get("ann");

    assertThat(ann.hash()).isEqualTo("{noop}2");
    assertThat(ann.backendRoles()).containsExactly("staff");
  }

  @Test
  void theAdminMayChangeItsPassword() {
    assertThat(after(new SecurityCommand.ChangePassword("admin", "{noop}9")).users().get("admin"))
        .isEqualTo(ADMIN.withHash("{noop}9"));
  }

  @Test
  void theKeysOfADeletedUserAreInvalid() {
    assertThat(after(new SecurityCommand.DeleteUser("ann")).apiKeys()).isEmpty();
  }

  @Test
  void aNewKeyRemovesThoseThatHadExpired() {
    ApiKey later = new ApiKey("k2", "later", "ann", "hash", 2_000, 0);

    assertThat(after(new SecurityCommand.CreateApiKey(later)).apiKeys()).containsOnlyKeys("k2");
  }

  @Test
  void invalidatedKeysAreForgotten() {
    assertThat(after(new SecurityCommand.InvalidateApiKeys(List.of("k1", "k9"))).apiKeys())
        .isEmpty();
    assertThat(
            SecurityDecisions.decide(state, new SecurityCommand.InvalidateApiKeys(List.of("k9"))))
        .isEqualTo(new Decision.Nothing());
  }

  @Test
  void aClusterWithUsersIsNotInitializedAgain() {
    assertThat(SecurityDecisions.decide(state, new SecurityCommand.Initialize(ADMIN)))
        .isEqualTo(new Decision.Nothing());
    assertThat(SecurityDecisions.decide(SecurityState.EMPTY, new SecurityCommand.Initialize(ADMIN)))
        .isEqualTo(new Decision.Change(new SecurityEvent.UserPut(ADMIN), true));
  }

  @Test
  void severalCommandsAreDecidedAfterEachOtherAndAppliedAsOneChange() {
    Role metrics = new Role("metrics", "", List.of(), List.of());
    RoleMapping mapping = new RoleMapping("metrics", List.of("ann"), List.of(), "");

    SecurityState after =
        after(
            new SecurityCommand.ChangeAll(
                state.version(),
                List.of(
                    new SecurityCommand.PutRole(metrics),
                    new SecurityCommand.PutMapping(mapping),
                    new SecurityCommand.DeleteRole("logs"))));

    assertThat(after.roles()).containsOnlyKeys("metrics");
    assertThat(after.mappings()).containsEntry("metrics", mapping);
    assertThat(after.version()).isEqualTo(state.version() + 1);
  }

  @Test
  void oneRefusalRefusesAllCommands() {
    SecurityCommand both =
        new SecurityCommand.ChangeAll(
            state.version(),
            List.of(
                new SecurityCommand.DeleteUser("ann"), new SecurityCommand.DeleteUser("admin")));

    assertThat(SecurityDecisions.decide(state, both))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            decision -> assertThat(decision.error().status()).isEqualTo(403));
  }

  @Test
  void commandsThatChangeNothingAreNoChange() {
    assertThat(
            SecurityDecisions.decide(
                state,
                new SecurityCommand.ChangeAll(
                    state.version(), List.of(new SecurityCommand.Initialize(ADMIN)))))
        .isEqualTo(new Decision.Nothing());
  }

  @Test
  void noTextShowsAHash() {
    assertThat(state.toString()).doesNotContain("{noop}").doesNotContain("hash");
  }
}
