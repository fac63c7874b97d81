package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.varve.coordinator.access.RouteAction;
import io.varve.coordinator.access.RouteActions;
import io.varve.coordinator.audit.AuditedActions;
import io.varve.coordinator.rest.RestHarness;
import io.varve.http.audit.AuditedPeers;
import io.varve.http.security.PeerRefusals;
import io.varve.rest.RestMethod;
import io.varve.security.IndexPermission;
import io.varve.security.Role;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class AuditTest {

  private static final int QUEUE = 4;

  private FakeSecurity security = users(new FakeSecurity());
  private RestHarness rest = RestHarness.secured(security);

  private static FakeSecurity users(FakeSecurity security) {
    return security.user("root", "admin").user("reader", "read_all");
  }

  @AfterEach
  void close() {
    security.auditLog().close();
    rest.close();
  }

  private void withSmallQueue() {
    rest.close();
    security = users(new FakeSecurity(QUEUE));
    rest = RestHarness.secured(security);
  }

  private MockHttpServletResponse call(
      @Nullable String authorization, String line, @Nullable String body) {
    MockHttpServletRequest request = RestHarness.request(line);
    if (authorization != null) {
      request.addHeader("Authorization", authorization);
    }
    if (body != null) {
      request.setContentType("application/json");
      request.setContent(body.getBytes(StandardCharsets.UTF_8));
    }
    return rest.send(request);
  }

  private List<JsonNode> written(int count) throws Exception {
    security.auditLog().start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> security.auditLog().written() >= count);
    List<JsonNode> records = security.audited();
    assertThat(records).hasSize(count);
    return records;
  }

  @Test
  void loginsRefusalsAndChangesAreRecordedWithoutBodiesAndQueries() throws Exception {
    call(FakeSecurity.basic("reader", "wrong"), "GET /", null);
    call(null, "GET /_search", null);
    call(FakeSecurity.basic("root"), "PUT /books?timeout=7s", "{\"settings\":{}}");
    call(FakeSecurity.basic("root"), "GET /books/_search", null);
    call(FakeSecurity.basic("reader"), "DELETE /books", null);
    call(
        FakeSecurity.basic("root"),
        "PUT /_plugins/_security/api/internalusers/bob",
        "{\"password\":\"canary-secret\"}");

    List<JsonNode> records = written(7);

    assertThat(records)
        .extracting(
            record -> record.path("kind").asString(),
            record -> record.path("user").asString(),
            record -> record.path("action").asString(),
            record -> record.path("status").asInt())
        .containsExactly(
            tuple("login_failed", "reader", "", 401),
            tuple("refused", "", "", 401),
            tuple("login", "root", "", 200),
            tuple("change", "root", "indices:admin/create", 200),
            tuple("login", "reader", "", 200),
            tuple("refused", "reader", "indices:admin/delete", 403),
            tuple("change", "root", "restapi:admin/internalusers", 200));
    assertThat(records.get(3).path("path").asString()).isEqualTo("/books");
    assertThat(records.get(3).path("method").asString()).isEqualTo("PUT");
    assertThat(records.get(3).path("node").asString()).isEqualTo("c1");
    assertThat(records.toString()).doesNotContain("canary-secret", "7s", "settings");
  }

  @Test
  void aFailedChangeIsRecordedWithItsStatus() throws Exception {
    call(FakeSecurity.basic("root"), "DELETE /absent", null);

    JsonNode change = written(2).get(1);
    assertThat(change.path("kind").asString()).isEqualTo("change");
    assertThat(change.path("status").asInt()).isEqualTo(404);
  }

  @Test
  void itemsThatWereRefusedAreRecordedWithTheirIndices() throws Exception {
    call(
        FakeSecurity.basic("reader"),
        "GET /_mget",
        "{\"docs\":[{\"_index\":\"absent\",\"_id\":\"canary\"}]}");
    security
        .role(
            new Role(
                "writer",
                "",
                List.of("cluster_composite_ops"),
                List.of(new IndexPermission(List.of("mine*"), List.of("write")))))
        .user("ann", "writer");
    MockHttpServletRequest bulk = RestHarness.request("POST /_bulk");
    bulk.addHeader("Authorization", FakeSecurity.basic("ann"));
    bulk.setContentType("application/x-ndjson");
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      items.append("{\"delete\":{\"_index\":\"other-%d\",\"_id\":\"canary\"}}\n".formatted(i % 11));
    }
    bulk.setContent(items.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(rest.send(bulk).getStatus()).isEqualTo(200);

    List<JsonNode> records = written(3);
    JsonNode refused = records.getLast();
    assertThat(refused.path("kind").asString()).isEqualTo("refused");
    assertThat(refused.path("user").asString()).isEqualTo("ann");
    assertThat(refused.path("path").asString()).isEqualTo("/_bulk");
    assertThat(refused.path("status").asInt()).isEqualTo(403);
    assertThat(refused.path("indices").values()).hasSize(10);
    assertThat(refused.path("indices").path(0).asString()).isEqualTo("other-0");
    assertThat(records.toString()).doesNotContain("canary");
  }

  @Test
  void refusedProcessesAreRecordedButNotAllThatComeTogether() throws Exception {
    int many = 1_000;
    AuditedPeers peers = security.auditedPeers();
    for (int i = 0; i < many; i++) {
      peers.refused(PeerRefusals.Refusal.ofConnection("192.0.2.1", "x".repeat(1_000)));
    }
    int dropped = (int) security.auditLog().dropped();
    assertThat(dropped).isPositive();

    JsonNode first = written(many - dropped).getFirst();
    assertThat(first.path("kind").asString()).isEqualTo("refused");
    assertThat(first.path("remote_address").asString()).isEqualTo("192.0.2.1");
    assertThat(first.path("reason").asString()).hasSize(200);
  }

  @Test
  void aChangeThatCantBeRecordedIsNotMadeAndTheRestIsDroppedAndCounted() throws Exception {
    withSmallQueue();
    for (int i = 0; i < QUEUE + 2; i++) {
      call(null, "GET /_search", null);
    }
    assertThat(security.auditLog().dropped()).isEqualTo(2);

    MockHttpServletResponse refused = call(FakeSecurity.basic("root"), "PUT /books", null);
    assertThat(refused.getStatus()).isEqualTo(503);
    assertThat(RestHarness.text(refused)).contains("audit log");
    assertThat(rest.cluster.state().indices()).isEmpty();
    assertThat(call(FakeSecurity.basic("root"), "GET /_cluster/settings", null).getStatus())
        .isEqualTo(200);

    security.auditLog().start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> security.auditLog().waiting() == 0);
    assertThat(call(FakeSecurity.basic("root"), "PUT /books", null).getStatus()).isEqualTo(200);
  }

  @Test
  void everyAdministrativeActionIsAChangeOrKnownNotToBeOne() {
    Set<String> others = new TreeSet<>();
    RouteActions actions = new RouteActions();
    rest.endpoints.stream()
        .flatMap(endpoint -> endpoint.routes().stream())
        .filter(route -> route.method() != RestMethod.GET && route.method() != RestMethod.HEAD)
        .forEach(route -> {
          RouteAction action = actions.of(route).orElseThrow();
          if (action.action().contains(":admin/")
              && !AuditedActions.isChange(route.method(), action.action())) {
            others.add(action.action());
          }
        });
    assertThat(others)
        .containsExactlyInAnyOrder(
            "cluster:admin/tasks/cancel",
            "cluster:admin/reindex/rethrottle",
            "indices:admin/analyze",
            "indices:admin/cache/clear",
            "indices:admin/flush",
            "indices:admin/forcemerge",
            "indices:admin/index_template/simulate",
            "indices:admin/index_template/simulate_index",
            "indices:admin/refresh",
            "indices:admin/shards/search_shards",
            "indices:admin/validate/query");
  }
}
