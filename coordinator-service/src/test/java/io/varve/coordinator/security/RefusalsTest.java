package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.coordinator.rest.RestHarness;
import io.varve.security.IndexPermission;
import io.varve.security.Role;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * A user may do everything with {@code mine-*} and nothing with {@code books}. Wherever a request
 * names an index, the other one stays closed.
 */
class RefusalsTest {

  private final FakeSecurity security =
      new FakeSecurity()
          .role(
              new Role(
                  "owner",
                  "",
                  List.of("cluster_composite_ops"),
                  List.of(new IndexPermission(List.of("mine-*"), List.of("indices_all")))))
          .user("ann", "owner")
          .user("root", "admin");
  private final RestHarness rest = RestHarness.secured(security);

  @BeforeEach
  void indices() {
    rest.cluster.index("books", 1);
    rest.cluster.index("mine-1", 1);
    alias("books", "library");
    alias("mine-1", "mine-alias");
    assertThat(as("root", "PUT /books/_doc/1", "{\"a\":1}").getStatus()).isEqualTo(201);
    rest.shards.calls().clear();
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private void alias(String index, String name) {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.AliasesChanged(
                Map.of(index + "-uuid", Map.of(name, AliasMetadata.PLAIN)), List.of())));
  }

  private MockHttpServletResponse as(String user, String line, @Nullable String body) {
    MockHttpServletRequest request = RestHarness.request(line);
    request.addHeader("Authorization", FakeSecurity.basic(user));
    if (body != null) {
      boolean lines = line.contains("_bulk") || line.contains("_msearch");
      request.setContentType(lines ? "application/x-ndjson" : "application/json");
      request.setContent(body.getBytes(StandardCharsets.UTF_8));
    }
    return rest.send(request);
  }

  private JsonNode ann(String line, @Nullable String body) {
    return RestHarness.json(as("ann", line, body));
  }

  private void nothingWasDone() {
    assertThat(rest.shards.documents()).isEqualTo(1);
    assertThat(rest.shards.calls()).isEmpty();
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /books/_search",
        "GET //books//_search",
        "GET /b%6foks/_search",
        "GET /%62ooks/_search",
        "GET /mine-1,books/_search",
        "GET /mine-1%2Cbooks/_search",
        "GET /library/_search",
        "GET /%3Cbooks%3E/_search",
        "GET /books/_search?ignore_unavailable=true",
        "GET /absent/_search",
        "GET /absent/_search?ignore_unavailable=true",
        "GET /books/_doc/1",
        "GET /books/_source/1",
        "GET /books",
        "HEAD /books",
        "GET /absent",
        "GET /books/_mapping",
        "GET /_cat/indices/books",
        "GET /_cat/count/books",
        "PUT /books/_doc/2",
        "DELETE /books/_doc/1",
        "DELETE /books",
        "DELETE /absent",
        "PUT /yours",
        "POST /books/_close",
        "POST /books/_refresh",
        "POST /books/_forcemerge",
        "PUT /books/_alias/mine-2",
        "PUT /mine-1/_alias/theirs",
        "POST /books/_rollover",
        "POST /books/_delete_by_query",
        "POST /books/_bulk",
        "POST /books/_search/point_in_time?keep_alive=1m",
        "GET /_cluster/state",
        "GET /_nodes",
        "PUT /_cluster/settings",
        "GET /_tasks",
      })
  void theOtherIndexAndTheClusterAreClosed(String line) {
    MockHttpServletResponse response = as("ann", line, line.contains("_doc/2") ? "{}" : null);

    assertThat(response.getStatus()).isEqualTo(403);
    if (!line.startsWith("HEAD")) {
      isRefusal(RestHarness.json(response).at("/error/reason").asString());
    }
    nothingWasDone();
  }

  private static void isRefusal(String reason) {
    assertThat(reason)
        .startsWith("no permissions for [")
        .endsWith("] and User [name=ann, backend_roles=[], requestedTenant=null]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET %s/roles", "PUT %s/roles/mine", "PATCH %s/roles", "PATCH %s/roles/a"})
  void usersAndRolesAreClosed(String line) {
    MockHttpServletResponse response = as("ann", line.formatted("/_plugins/_security/api"), null);

    assertThat(response.getStatus()).isEqualTo(403);
    isRefusal(RestHarness.json(response).at("/message").asString());
    nothingWasDone();
  }

  @Test
  void itemsOfABulkAreRefusedOneByOne() {
    JsonNode answer =
        ann(
            "POST /_bulk",
            """
            {"index":{"_index":"books","_id":"1"}}
            {"a":2}
            {"delete":{"_index":"books","_id":"1"}}
            {"index":{"_index":"absent","_id":"1"}}
            {"a":2}
            {"index":{"_index":"library","_id":"1"}}
            {"a":2}
            {"index":{"_index":"mine-1","_id":"1"}}
            {"a":2}
            """);

    assertThat(
            answer.path("items").values().stream()
                .map(item -> item.properties().iterator().next().getValue().path("status").asInt()))
        .containsExactly(403, 403, 403, 403, 201);
    assertThat(answer.at("/items/0/index/error/type").asString()).isEqualTo("security_exception");
    assertThat(rest.cluster.commands()).isEmpty();
    assertThat(rest.shards.documents()).isEqualTo(2);
  }

  @Test
  void documentsOfAMultiGetAreRefusedOneByOne() {
    JsonNode answer =
        ann(
            "POST /_mget",
            "{\"docs\":[{\"_index\":\"books\",\"_id\":\"1\"},{\"_index\":\"mine-1\",\"_id\":\"1\"}]}");

    assertThat(answer.at("/docs/0/error/type").asString()).isEqualTo("security_exception");
    assertThat(answer.at("/docs/1/found").asBoolean(true)).isFalse();
    assertThat(rest.shards.calls()).noneMatch(call -> call.contains("books"));
  }

  @Test
  void searchesOfAMultiSearchAreRefusedOneByOne() {
    JsonNode answer =
        ann(
            "POST /_msearch",
            """
            {"index":"books"}
            {}
            {"index":"mine-1"}
            {}
            """);

    assertThat(answer.at("/responses/0/status").asInt()).isEqualTo(403);
    assertThat(answer.at("/responses/1/status").asInt()).isEqualTo(200);
    assertThat(rest.shards.calls()).noneMatch(call -> call.contains("books"));
  }

  @ParameterizedTest
  @CsvSource({"books, mine-1", "mine-1, books", "library, mine-1", "mine-1, library"})
  void aReindexNeedsBothIndices(String source, String dest) {
    MockHttpServletResponse response =
        as(
            "ann",
            "POST /_reindex",
            "{\"source\":{\"index\":\"" + source + "\"},\"dest\":{\"index\":\"" + dest + "\"}}");

    assertThat(response.getStatus()).isEqualTo(403);
    nothingWasDone();
  }

  @Test
  void aReindexInTheBackgroundHasTheRightsOfItsUser() throws InterruptedException {
    JsonNode started =
        ann(
            "POST /_reindex?wait_for_completion=false",
            "{\"source\":{\"index\":\"mine-1\"},\"dest\":{\"index\":\"mine-absent\"}}");

    assertThat(started.has("task")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"actions\":[{\"add\":{\"index\":\"books\",\"alias\":\"mine-2\"}}]}",
        "{\"actions\":[{\"add\":{\"index\":\"mine-1\",\"alias\":\"theirs\"}}]}",
        "{\"actions\":[{\"remove\":{\"index\":\"books\",\"alias\":\"library\"}}]}",
        "{\"actions\":[{\"remove_index\":{\"index\":\"books\"}}]}",
      })
  void changesOfAliasesNeedTheirIndices(String body) {
    assertThat(as("ann", "POST /_aliases", body).getStatus()).isEqualTo(403);
    nothingWasDone();
  }

  @Test
  void aPatternInAChangeOfAliasesMatchesNothingElse() {
    String body = "{\"actions\":[{\"add\":{\"index\":\"b*\",\"alias\":\"mine-2\"}}]}";

    assertThat(as("ann", "POST /_aliases", body).getStatus()).isEqualTo(404);
    nothingWasDone();
  }

  @Test
  void aTermsLookupReadsOnlyWhatItsUserMayRead() {
    MockHttpServletResponse response =
        as(
            "ann",
            "POST /mine-1/_search",
            "{\"query\":{\"terms\":{\"a\":{\"index\":\"books\",\"id\":\"1\",\"path\":\"a\"}}}}");

    assertThat(response.getStatus()).isEqualTo(403);
    nothingWasDone();
  }

  @Test
  void aPointInTimeIsClosedWhenItsUserMayNoLongerReadTheIndex() {
    security.user("tom", "admin");
    String id =
        RestHarness.json(as("tom", "POST /books/_search/point_in_time?keep_alive=1m", null))
            .path("pit_id")
            .asString();
    security.user("tom", "owner");
    rest.shards.calls().clear();

    MockHttpServletResponse response =
        as("tom", "POST /_search", "{\"pit\":{\"id\":\"" + id + "\"}}");

    assertThat(id).isNotEmpty();
    assertThat(response.getStatus()).isEqualTo(403);
    nothingWasDone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/_search", "/_all/_search", "/*/_search", "/*,-x/_search"})
  void patternsShrinkToWhatIsAllowed(String path) {
    assertThat(as("ann", "GET " + path, null).getStatus()).isEqualTo(200);
    assertThat(rest.shards.calls()).isNotEmpty().allMatch(call -> call.startsWith("search mine-1"));
  }

  @Test
  void tablesAndMetadataShowOnlyWhatIsAllowed() {
    for (String line :
        List.of(
            "GET /_cat/indices",
            "GET /_cat/shards",
            "GET /_cat/aliases",
            "GET /_alias",
            "GET /_mapping",
            "GET /_settings",
            "GET /_resolve/index/*",
            "GET /*")) {
      String text = RestHarness.text(as("ann", line, null));
      assertThat(text).as(line).contains("mine-1").doesNotContain("books", "library");
    }
  }

  @Test
  void ownIndicesAreOpen() {
    assertThat(as("ann", "PUT /mine-1/_doc/1", "{}").getStatus()).isEqualTo(201);
    assertThat(as("ann", "GET /mine-alias/_doc/1", null).getStatus()).isEqualTo(200);
    assertThat(as("ann", "GET /mine-1/_search", null).getStatus()).isEqualTo(200);
    assertThat(as("ann", "PUT /mine-2", null).getStatus()).isEqualTo(200);
    assertThat(as("ann", "GET /mine-absent", null).getStatus()).isEqualTo(404);
  }

  @Test
  void aUserWithoutRolesMayOnlySeeWhoItIs() {
    security.user("bob");

    assertThat(as("bob", "GET /_search", null).getStatus()).isEqualTo(403);
    assertThat(as("bob", "GET /", null).getStatus()).isEqualTo(403);
    assertThat(
            RestHarness.json(as("bob", "GET /_plugins/_security/authinfo", null))
                .path("user_name")
                .asString())
        .isEqualTo("bob");
  }

  @Test
  void whileTheStateCannotBeReadNobodyIsLetIn() {
    security.becomeUnreadable();

    assertThat(as("root", "GET /", null).getStatus()).isEqualTo(503);
    assertThat(as("root", "DELETE /books", null).getStatus()).isEqualTo(503);
    nothingWasDone();
  }

  @Test
  void afterSomeFailedLoginsEvenTheRightPasswordIsRefused() {
    for (int i = 0; i < FakeSecurity.FAILURES; i++) {
      assertThat(login("ann", "wrong").getStatus()).isEqualTo(401);
    }

    assertThat(login("ann", "annann").getStatus()).isEqualTo(429);
    assertThat(login("root", "rootroot").getStatus()).isEqualTo(200);
  }

  private MockHttpServletResponse login(String user, String password) {
    MockHttpServletRequest request = RestHarness.request("GET /_plugins/_security/authinfo");
    request.addHeader("Authorization", FakeSecurity.basic(user, password));
    return rest.send(request);
  }

  @Test
  void aRightPasswordIsRefusedOnceItWasChanged() {
    assertThat(login("ann", "annann").getStatus()).isEqualTo(200);

    security.user("ann-2").user("ann");
    JsonNode changed =
        ann(
            "PUT /_plugins/_security/api/account",
            "{\"current_password\":\"annann\",\"password\":\"a-new-password\"}");

    assertThat(changed.path("status").asString()).isEqualTo("OK");
    assertThat(login("ann", "annann").getStatus()).isEqualTo(401);
    assertThat(login("ann", "a-new-password").getStatus()).isEqualTo(200);
  }
}
