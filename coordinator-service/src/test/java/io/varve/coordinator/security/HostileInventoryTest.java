package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.access.RouteAction;
import io.varve.coordinator.access.RouteActions;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.Route;
import io.varve.security.IndexPermission;
import io.varve.security.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * Sends a request to each route of each endpoint, as an attacker would: without, with wrong, with
 * expired and with revoked credentials, as a user who may only read, and as one who may do anything
 * with other indices. None of them changes or sees the index {@code vault-7}.
 */
class HostileInventoryTest {

  private static final String INDEX = "vault-7";

  private final FakeSecurity security =
      new FakeSecurity()
          .user("reader", "read_all")
          .role(
              new Role(
                  "others",
                  "",
                  List.of("cluster_composite_ops", "cluster:monitor/main"),
                  List.of(new IndexPermission(List.of("other-*"), List.of("indices_all")))))
          .user("writer", "others");
  private final RestHarness rest = RestHarness.secured(security);
  private final RouteActions actions = new RouteActions();

  private record Attempt(RestEndpoint endpoint, Route route) {}

  @BeforeEach
  void anIndexWithADocument() {
    rest.cluster.index(INDEX, 1);
    rest.cluster.index("other-1", 1);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private Stream<Attempt> inventory() {
    return rest.endpoints.stream()
        .flatMap(endpoint -> endpoint.routes().stream().map(route -> new Attempt(endpoint, route)));
  }

  private MockHttpServletResponse send(Attempt attempt, @Nullable String authorization) {
    RequestExample example = attempt.endpoint().example();
    Map<String, String> values = new HashMap<>(example.parameters());
    values.put("index", INDEX);
    StringBuilder path = new StringBuilder();
    for (String segment : attempt.route().template().substring(1).split("/", -1)) {
      String name = segment.startsWith("{") ? segment.substring(1, segment.length() - 1) : "";
      String value =
          name.isEmpty()
              ? segment
              : values.getOrDefault(name, name.contains("metric") ? "_all" : name);
      path.append('/').append(value);
      values.remove(name);
    }
    values.remove("index");
    StringBuilder query = new StringBuilder();
    values.forEach((name, value) ->
        query.append(query.isEmpty() ? "?" : "&").append(name).append('=').append(value));
    MockHttpServletRequest request =
        RestHarness.request(attempt.route().method() + " " + path + query);
    if (!example.body().isEmpty()) {
      request.setContentType(
          attempt.endpoint().readsLines() ? "application/x-ndjson" : "application/json");
      request.setContent(example.body().getBytes(StandardCharsets.UTF_8));
    }
    if (authorization != null) {
      request.addHeader("Authorization", authorization);
    }
    return rest.send(request);
  }

  /** Everything that a request might change. */
  private List<Object> world() {
    List<Object> world = new ArrayList<>();
    world.add(rest.cluster.state().version());
    world.add(List.copyOf(rest.cluster.commands()));
    world.add(rest.shards.documents());
    world.add(rest.shards.calls().stream().filter(call -> !isRead(call)).toList());
    world.add(List.copyOf(rest.removedLeases));
    world.add(security.current().state());
    return world;
  }

  private static boolean isRead(String call) {
    return Set.of("search", "get", "stats", "segments", "recovery", "leases", "replication")
        .contains(call.substring(0, call.indexOf(' ')));
  }

  private void areRefused(@Nullable String authorization) {
    inventory()
        .forEach(attempt -> {
          List<Object> before = world();
          MockHttpServletResponse response = send(attempt, authorization);
          assertThat(response.getStatus()).as("%s", attempt.route()).isEqualTo(401);
          assertThat(response.getHeader("WWW-Authenticate")).startsWith("Basic ");
          assertThat(RestHarness.json(response).at("/error/type").asString())
              .isEqualTo("security_exception");
          assertThat(world()).as("%s", attempt.route()).isEqualTo(before);
        });
    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void withoutCredentialsEveryEndpointAnswers401AndDoesNothing() {
    areRefused(null);
  }

  @Test
  void withAWrongPasswordOrKeyEveryEndpointRefusesAndDoesNothing() {
    areRefused("ApiKey " + "d3Jvbmc6d3Jvbmc=");
    areRefused("Bearer token");
    List<Object> before = world();
    inventory()
        .forEach(attempt ->
            assertThat(send(attempt, FakeSecurity.basic("reader", "wrong")).getStatus())
                .as("%s", attempt.route())
                .isIn(401, 429));
    assertThat(world()).isEqualTo(before);
  }

  @Test
  void withAnExpiredKeyEveryEndpointAnswers401AndDoesNothing() {
    areRefused(security.key("reader", true));
  }

  @Test
  void withARevokedKeyEveryEndpointAnswers401AndDoesNothing() {
    areRefused(security.revokedKey("reader"));
  }

  @Test
  void aKeyOrPasswordOfADeletedUserOpensNothing() {
    security.user("gone", "admin");
    String key = security.key("gone", false);
    security.delete("gone");
    areRefused(key);
    List<Object> before = world();
    inventory()
        .forEach(attempt ->
            assertThat(send(attempt, FakeSecurity.basic("gone")).getStatus())
                .as("%s", attempt.route())
                .isIn(401, 429));
    assertThat(world()).isEqualTo(before);
  }

  @Test
  void aReaderChangesNothing() {
    inventory()
        .filter(attempt -> scope(attempt) != RouteAction.Scope.ANYONE)
        .forEach(attempt -> {
          List<Object> before = world();
          MockHttpServletResponse response = send(attempt, FakeSecurity.basic("reader"));
          assertThat(response.getStatus()).as("%s", attempt.route()).isLessThan(500);
          assertThat(world()).as("%s", attempt.route()).isEqualTo(before);
        });
  }

  @Test
  void aWriterOfOtherIndicesNeitherChangesNorSeesThisOne() {
    inventory()
        .filter(attempt -> scope(attempt) != RouteAction.Scope.ANYONE)
        .forEach(attempt -> {
          List<Object> before = world();
          MockHttpServletResponse response = send(attempt, FakeSecurity.basic("writer"));
          boolean named = attempt.route().parameters().contains("index");
          if (named) {
            assertThat(response.getStatus()).as("%s", attempt.route()).isEqualTo(403);
            assertThat(world()).as("%s", attempt.route()).isEqualTo(before);
          } else {
            assertThat(response.getStatus()).as("%s", attempt.route()).isLessThan(500);
            assertThat(rest.cluster.state().indices()).as("%s", attempt.route()).containsKey(INDEX);
            assertThat(rest.shards.calls())
                .as("%s", attempt.route())
                .noneMatch(call -> call.contains(" " + INDEX));
          }
          if (response.getStatus() < 300) {
            assertThat(RestHarness.text(response)).as("%s", attempt.route()).doesNotContain(INDEX);
          }
        });
  }

  private RouteAction.Scope scope(Attempt attempt) {
    return actions.of(attempt.route()).orElseThrow().scope();
  }
}
