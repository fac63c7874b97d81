package io.varve.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.security.Authorizer.Decision;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizerTest {

  private static final Role LOGS =
      new Role(
          "logs",
          "",
          List.of("cluster_composite_ops", "cluster:monitor/main"),
          List.of(
              new IndexPermission(List.of("logs-*", "app"), List.of("crud")),
              new IndexPermission(List.of("*-audit"), List.of("indices:data/read/search"))));

  private final Authorizer authorizer =
      new Authorizer(SecurityState.EMPTY.apply(new SecurityEvent.RolePut(LOGS)));

  private static Principal with(String... roles) {
    return new Principal("ann", List.of("staff"), Set.of(roles), null);
  }

  @ParameterizedTest
  @CsvSource({
    "admin,    indices:admin/delete,       anything,    true",
    "admin,    indices:data/write/index,   .hidden,     true",
    "read_all, indices:data/read/search,   anything,    true",
    "read_all, indices:data/read/mget[shard], anything, true",
    "read_all, indices:admin/mappings/get, anything,    true",
    "read_all, indices:data/write/index,   anything,    false",
    "read_all, indices:admin/delete,       anything,    false",
    "monitor,  indices:monitor/stats,      anything,    true",
    "monitor,  indices:data/read/search,   anything,    false",
    "follower, indices:data/read/search,   anything,    false",
    "logs,     indices:data/read/search,   logs-1,      true",
    "logs,     indices:data/write/bulk[s], logs-,       true",
    "logs,     indices:data/write/index,   app,         true",
    "logs,     indices:data/write/index,   app2,        false",
    "logs,     indices:data/read/search,   logs,        false",
    "logs,     indices:data/read/search,   web-audit,   true",
    "logs,     indices:data/write/index,   web-audit,   false",
    "logs,     indices:admin/delete,       logs-1,      false",
    "unknown,  indices:data/read/search,   logs-1,      false",
  })
  void aRoleAllowsAnActionOnAName(String role, String action, String name, boolean allowed) {
    assertThat(authorizer.decide(with(role), action, List.of(name)))
        .isInstanceOf(allowed ? Decision.Allowed.class : Decision.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "admin,    cluster:admin/reroute,       true",
    "admin,    restapi:admin/roles,         true",
    "monitor,  cluster:monitor/state,       true",
    "monitor,  cluster:admin/reroute,       false",
    "monitor,  restapi:admin/roles,         false",
    "read_all, indices:data/read/msearch,   true",
    "read_all, indices:data/write/bulk,     false",
    "follower, cluster:admin/varve/follow,  true",
    "follower, cluster:monitor/state,       false",
    "logs,     indices:data/write/bulk,     true",
    "logs,     indices:data/write/reindex,  true",
    "logs,     cluster:monitor/state,       false",
  })
  void aRoleAllowsAnActionOnTheCluster(String role, String action, boolean allowed) {
    assertThat(authorizer.decide(with(role), action))
        .isInstanceOf(allowed ? Decision.Allowed.class : Decision.Refused.class);
  }

  @Test
  void oneNameThatIsNotAllowedRefusesAll() {
    assertThat(
            authorizer.decide(
                with("logs"), "indices:data/read/search", List.of("logs-1", "books", "app")))
        .isInstanceOf(Decision.Refused.class);
  }

  @Test
  void aRefusalHasOpenSearchsText() {
    Decision decision =
        authorizer.decide(with("logs"), "indices:data/read/search", List.of("books"));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(403);
              assertThat(refused.error().type()).isEqualTo("security_exception");
              assertThat(refused.error().reason())
                  .isEqualTo(
                      "no permissions for [indices:data/read/search] and User [name=ann,"
                          + " backend_roles=[staff], requestedTenant=null]");
            });
  }

  @Test
  void namesShrinkToThoseThatAreAllowed() {
    assertThat(
            authorizer.shrink(
                with("logs"),
                "indices:data/read/search",
                List.of("app", "books", "logs-1", "web-audit")))
        .containsExactly("app", "logs-1", "web-audit");
  }

  @Test
  void rolesAddUp() {
    Principal both = with("monitor", "read_all");

    assertThat(authorizer.decide(both, "indices:monitor/stats", List.of("a")))
        .isInstanceOf(Decision.Allowed.class);
    assertThat(authorizer.decide(both, "indices:data/read/get", List.of("a")))
        .isInstanceOf(Decision.Allowed.class);
  }

  @Test
  void mappingsGiveRolesByUserAndByBackendRole() {
    User ann = user("ann", List.of(), List.of("staff"));
    User bob = user("bob", List.of("monitor"), List.of());
    SecurityState state =
        SecurityState.EMPTY
            .apply(new SecurityEvent.UserPut(ann))
            .apply(new SecurityEvent.UserPut(bob))
            .apply(
                new SecurityEvent.MappingPut(
                    new RoleMapping("read_all", List.of(), List.of("st*"), "")))
            .apply(
                new SecurityEvent.MappingPut(
                    new RoleMapping("logs", List.of("b*"), List.of(), "")));

    assertThat(state.principal(ann, "").roles()).containsExactlyInAnyOrder("read_all");
    assertThat(state.principal(bob, "").roles()).containsExactlyInAnyOrder("monitor", "logs");
  }

  @ParameterizedTest
  @CsvSource({"reed", "/logs-.*/", "x"})
  void anUnknownActionGroupIsRefused(String group) {
    assertThatThrownBy(() -> new IndexPermission(List.of("a"), List.of(group)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"/logs-.*/", "${user.name}", "' '"})
  void regularExpressionsAndVariablesAreRefusedAsPatterns(String pattern) {
    assertThatThrownBy(() -> new IndexPermission(List.of(pattern), List.of("read")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static User user(String name, List<String> roles, List<String> backendRoles) {
    return new User(name, "{noop}x", roles, backendRoles, Map.of(), "", false);
  }
}
