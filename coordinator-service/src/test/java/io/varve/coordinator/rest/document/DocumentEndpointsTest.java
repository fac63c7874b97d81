package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.coordinator.rest.RestHarness;
import io.varve.coordinator.rest.shard.ShardClient.BulkAnswer;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void aBulkTellsItsErrorsFirstAndEachItemsFate() {
    rest.cluster.index("a", 3);
    rest.cluster.index("closed", 1, Map.of("index.blocks.write", "true"));

    MockHttpServletResponse response =
        rest.call(
            "POST /_bulk",
            """
            {"index":{"_index":"a","_id":"1"}}
            {}
            {"index":{"_index":"closed","_id":"2"}}
            {}
            {"delete":{"_index":"a","_id":"9"}}
            {"create":{"_index":"Wrong"}}
            {}
            """);

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(text(response)).matches("(?s)\\{\"took\":\\d+,\"errors\":true,\"items\":\\[.*");
    JsonNode items = json(response).path("items");
    assertThat(items.at("/0/index/status").asInt()).isEqualTo(201);
    assertThat(items.at("/1/index/status").asInt()).isEqualTo(403);
    assertThat(items.at("/1/index/error/type").asString()).isEqualTo("cluster_block_exception");
    assertThat(items.at("/2/delete/status").asInt()).isEqualTo(404);
    assertThat(items.at("/2/delete/error").isMissingNode()).isTrue();
    assertThat(items.at("/3/create/error/type").asString())
        .isEqualTo("invalid_index_name_exception");
  }

  @Test
  void aRefreshIsVisibleOnEveryCopyBeforeTheAnswer() {
    rest.cluster.index("a", 1);

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?refresh=true", "{}");

    assertThat(json(response).path("forced_refresh").asBoolean()).isTrue();
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "refresh a0p", "visible>=0 a0r");
  }

  @Test
  void waitForAsksEveryCopyAndForcesNothing() {
    rest.cluster.index("a", 1);

    rest.call("PUT /a/_doc/1?refresh=wait_for", "{}");

    assertThat(rest.shards.calls())
        .containsExactlyInAnyOrder("bulk a0p", "visible>=0 a0p", "visible>=0 a0r");
  }

  @Test
  void aReplicaThatCannotBeReachedDoesNotFailAWrite() {
    rest.cluster.index("a", 1);
    rest.shards.fail("a0r", new UnreachableException("gone", new IOException("gone")));

    assertThat(rest.call("PUT /a/_doc/1?refresh=true", "{}").getStatus()).isEqualTo(201);
  }

  @Test
  void whatWasNotWrittenIsTriedAgain() {
    rest.cluster.index("a", 1);
    rest.shards.nextBulk(
        new BulkAnswer.NotWritten(ErrorBody.of(409, "stale_primary_exception", "term 6")));

    assertThat(rest.call("PUT /a/_doc/1", "{}").getStatus()).isEqualTo(201);
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "bulk a0p");
  }

  @Test
  void whatMayHaveBeenWrittenIsNeverTriedAgain() {
    rest.cluster.index("a", 1);
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset"));

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1", "{}");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/type").asString()).isEqualTo("unknown_outcome_exception");
    assertThat(rest.shards.calls()).containsExactly("bulk a0p");
  }

  @Test
  void aWriteWaitsForThePrimary() throws Exception {
    rest.cluster.index("a", 1);
    rest.cluster.all("a", true, CopyRouting.State.INITIALIZING);

    CompletableFuture<MockHttpServletResponse> write =
        CompletableFuture.supplyAsync(() -> rest.call("PUT /a/_doc/1", "{}"));
    rest.cluster.all("a", true, CopyRouting.State.STARTED);

    assertThat(write.get(10, TimeUnit.SECONDS).getStatus()).isEqualTo(201);
  }

  @Test
  void withoutPrimaryInTimeAWriteIsUnavailable() {
    rest.cluster.index("a", 1);
    rest.cluster.all("a", true, CopyRouting.State.INITIALIZING);

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?timeout=10ms", "{}");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/type").asString())
        .isEqualTo("unavailable_shards_exception");
    assertThat(json(response).at("/error/reason").asString())
        .startsWith("[a][0] primary shard is not active Timeout: [10ms], request: [");
    assertThat(rest.shards.calls()).isEmpty();
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
  void aConditionIsOfNumbersThatCanBe() {
    MockHttpServletResponse response =
        rest.call("PUT /a/_doc/1?if_seq_no=-9&if_primary_term=-1", "{}");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(text(response)).contains("sequence numbers must be non negative. got [-9].");
  }
}
