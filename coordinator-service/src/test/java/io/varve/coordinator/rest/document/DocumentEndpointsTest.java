package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class DocumentEndpointsTest {
  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void aWriteIsAnsweredWithAllThatClientsNeed() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1", "{\"f\":1}");

    assertThat(response.getStatus()).isEqualTo(201);
    assertThat(response.getHeader("Location")).isEqualTo("/a/_doc/1");
    assertThat(text(response))
        .isEqualTo(
            "{\"_index\":\"a\",\"_id\":\"1\",\"_version\":1,\"result\":\"created\","
                + "\"_shards\":{\"total\":2,\"successful\":2,\"failed\":0},"
                + "\"_seq_no\":0,\"_primary_term\":7}");
    assertThat(rest.call("PUT /a/_doc/1", "{}").getStatus()).isEqualTo(200);
  }

  @Test
  void aDocumentIsReadAsItWasSent() {
    rest.cluster.index("a", 1);
    rest.call("PUT /a/_doc/1", "{ \"f\" :1.50}");

    assertThat(text(rest.call("GET /a/_doc/1")))
        .isEqualTo(
            "{\"_index\":\"a\",\"_id\":\"1\",\"_version\":1,\"_seq_no\":0,\"_primary_term\":7,"
                + "\"found\":true,\"_source\":{ \"f\" :1.50}}");
    assertThat(text(rest.call("GET /a/_source/1"))).isEqualTo("{ \"f\" :1.50}");
    assertThat(text(rest.call("GET /a/_doc/1?_source=false"))).doesNotContain("_source");
  }

  @Test
  void aMissingDocumentIsNoError() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response = rest.call("GET /a/_doc/1");

    assertThat(response.getStatus()).isEqualTo(404);
    assertThat(text(response)).isEqualTo("{\"_index\":\"a\",\"_id\":\"1\",\"found\":false}");
    assertThat(json(rest.call("GET /a/_source/1")).at("/error/type").asString())
        .isEqualTo("resource_not_found_exception");
  }

  @Test
  void deletingWhatIsMissingHasTheWholeShape() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response = rest.call("DELETE /a/_doc/1");

    assertThat(response.getStatus()).isEqualTo(404);
    assertThat(json(response).path("result").asString()).isEqualTo("not_found");
    assertThat(json(response).path("_version").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"2, '', 503", "2, &wait_for_active_shards=1, 201", "all, '', 503", "1, '', 201"})
  void aWriteWaitsForAsManyCopiesAsItsIndexSaysUnlessItSaysItself(
      String setting, String parameter, int status) {
    rest.cluster.stopClock();
    rest.cluster.index("a", 1, Map.of("index.write.wait_for_active_shards", setting));
    rest.cluster.all("a", false, CopyRouting.State.INITIALIZING);

    assertThat(rest.call("PUT /a/_doc/1?timeout=5ms" + parameter, "{}").getStatus())
        .isEqualTo(status);
  }

  @Test
  void anIndexIsCreatedForTheRequestWhateverItDeletesThereFirst() {
    JsonNode items =
        bulk("{'delete':{'_index':'new','_id':'1'}}", "{'index':{'_index':'new','_id':'2'}}", "{}");

    assertThat(items.at("/0/delete/status").asInt()).isEqualTo(404);
    assertThat(items.at("/0/delete/result").asString()).isEqualTo("not_found");
    assertThat(items.at("/1/index/status").asInt()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'delete':{'_index':'new','_id':'1'}}",
        "{'delete':{'_index':'new','_id':'1'}}"
            + " {'index':{'_index':'new','_id':'2','require_alias':true}} {}",
      })
  void nothingIsCreatedToDeleteFrom(String lines) {
    JsonNode items = bulk(lines.split(" ", -1));

    assertThat(items.at("/0/delete/error/type").asString()).isEqualTo("index_not_found_exception");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  private JsonNode bulk(String... lines) {
    MockHttpServletRequest bulk = RestHarness.request("POST /_bulk");
    bulk.setContentType("application/x-ndjson");
    bulk.setContent(
        (String.join("\n", lines).replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
    return json(rest.send(bulk)).path("items");
  }

  @Test
  void aBulkIsATaskAndSoIsEachShardOfIt() {
    rest.cluster.index("a", 1);
    List<String> seen = new ArrayList<>();
    List<String> parents = new ArrayList<>();
    rest.shards.onBulk(call -> {
      parents.add(call.task());
      seen.add(text(rest.call("GET /_tasks?actions=indices:data/write/*&group_by=none&detailed")));
    });
    MockHttpServletRequest bulk = RestHarness.request("POST /a/_bulk");
    bulk.setContentType("application/x-ndjson");
    bulk.addHeader("X-Opaque-Id", "mine");
    bulk.setContent("{\"index\":{\"_id\":\"1\"}}\n{}\n".getBytes(StandardCharsets.UTF_8));

    assertThat(rest.send(bulk).getStatus()).isEqualTo(200);

    JsonNode tasks = Json.mapper().readTree(seen.getFirst()).path("tasks");
    assertThat(tasks).hasSize(2);
    JsonNode whole = tasks.get(0);
    assertThat(whole.path("action").asString()).isEqualTo("indices:data/write/bulk");
    assertThat(whole.path("description").asString()).isEqualTo("requests[1], indices[a]");
    assertThat(whole.path("cancellable").asBoolean()).isFalse();
    assertThat(whole.at("/headers/X-Opaque-Id").asString()).isEqualTo("mine");
    JsonNode part = tasks.get(1);
    assertThat(part.path("action").asString()).isEqualTo("indices:data/write/bulk[s]");
    assertThat(part.path("description").asString()).isEqualTo("requests[1], index[a][0]");
    assertThat(part.path("parent_task_id").asString())
        .isEqualTo(whole.path("node").asString() + ":" + whole.path("id").asLong());
    assertThat(parents)
        .containsExactly(part.path("node").asString() + ":" + part.path("id").asLong());
    assertThat(text(rest.call("GET /_tasks?actions=indices:data/write/*&group_by=none")))
        .contains("\"tasks\":[]");
  }

  @Test
  void theFirstWriteCreatesItsIndex() {
    assertThat(rest.call("POST /new/_doc", "{}").getStatus()).isEqualTo(201);
    assertThat(rest.cluster.state().indices()).containsKey("new");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | 404",
        "-new* | 404",
        "+other,-* | 404",
        "other* | 404",
        "+ne*,-* | 201",
        "true | 201",
      })
  void theClusterMayForbidToCreateAnIndex(String setting, int status) {
    rest.cluster.setting("action.auto_create_index", setting);

    assertThat(rest.call("POST /new/_doc", "{}").getStatus()).isEqualTo(status);
  }

  @Test
  void aDeleteCreatesNoIndex() {
    assertThat(rest.call("DELETE /new/_doc/1").getStatus()).isEqualTo(404);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void aRefreshIsVisibleOnEveryCopyBeforeTheAnswer() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?refresh=true", "{}");

    assertThat(json(response).path("forced_refresh").asBoolean()).isTrue();
    assertThat(rest.shards.calls())
        .containsExactly("bulk a0p", "refresh a0p", "visible>=0 now a0r");
  }

  @Test
  void waitForAsksEveryCopyAndForcesNothing() {
    rest.cluster.index("a", 1);

    rest.call("PUT /a/_doc/1?refresh=wait_for", "{}");

    assertThat(rest.shards.calls())
        .containsExactlyInAnyOrder("bulk a0p", "visible>=0 a0p", "visible>=0 a0r");
  }

  @Test
  void manyDocumentsAreReadAtOnce() {
    rest.cluster.index("a", 2);
    rest.call("PUT /a/_doc/1", "{\"f\":1,\"g\":2}");

    JsonNode docs =
        json(rest.call(
                "POST /_mget",
                "{\"docs\":[{\"_index\":\"a\",\"_id\":\"1\",\"_source\":[\"f\"]},"
                    + "{\"_index\":\"a\",\"_id\":\"2\"},{\"_index\":\"b\",\"_id\":\"1\"}]}"))
            .path("docs");

    assertThat(docs.at("/0/_source").toString()).isEqualTo("{\"f\":1}");
    assertThat(docs.at("/1/found").asBoolean()).isFalse();
    assertThat(docs.at("/2/error/type").asString()).isEqualTo("index_not_found_exception");
    assertThat(json(rest.call("POST /a/_mget", "{\"docs\":[]}")).at("/error/reason").asString())
        .isEqualTo("Validation Failed: 1: no documents to get;");
  }

  @Test
  void documentsOfAShardAreReadWithOneRequest() {
    rest.cluster.index("a", 2).index("b", 1);
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      rest.call("PUT /a/_doc/" + i, "{\"f\":" + i + "}");
      ids.append("{\"_id\":\"").append(i).append("\"},");
    }
    rest.shards.calls().clear();

    JsonNode docs =
        json(rest.call(
                "POST /a/_mget", "{\"docs\":[" + ids + "{\"_index\":\"b\",\"_id\":\"none\"}]}"))
            .path("docs");

    assertThat(rest.shards.calls()).containsExactlyInAnyOrder("get a0p", "get a1p", "get b0p");
    assertThat(docs).hasSize(51);
    for (int i = 0; i < 50; i++) {
      assertThat(docs.get(i).at("/_source/f").asInt()).isEqualTo(i);
    }
    assertThat(docs.get(50).path("found").asBoolean()).isFalse();
  }

  @Test
  void aShardThatFailsFailsItsDocumentsAlone() {
    rest.cluster.index("a", 1).index("b", 1);
    rest.cluster.setting(ClusterSettings.READ_TIMEOUT, "20ms");
    rest.call("PUT /a/_doc/1", "{}");
    rest.shards.fail("b0p", new UnreachableException("gone", new IOException("gone")));
    rest.shards.fail("b0r", new UnreachableException("gone", new IOException("gone")));

    JsonNode docs =
        json(rest.call(
                "POST /_mget",
                "{\"docs\":[{\"_index\":\"b\",\"_id\":\"1\"},{\"_index\":\"a\",\"_id\":\"1\"}]}"))
            .path("docs");

    assertThat(docs.at("/0/error/type").asString())
        .isEqualTo("no_shard_available_action_exception");
    assertThat(docs.at("/0/error/reason").asString()).contains("[b][1]");
    assertThat(docs.at("/1/found").asBoolean()).isTrue();
  }

  @Test
  void aConditionIsOfNumbersThatCanBe() {
    MockHttpServletResponse response =
        rest.call("PUT /a/_doc/1?if_seq_no=-9&if_primary_term=-1", "{}");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(text(response)).contains("sequence numbers must be non negative. got [-9].");
  }
}
