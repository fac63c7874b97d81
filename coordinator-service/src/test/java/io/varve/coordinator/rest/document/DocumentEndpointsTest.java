package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
  void aShardWhoseReplicasFallBehindRefusesWritesUntilTheyHaveCaughtUp() {
    rest.cluster.index("a", 1);
    ShardRouting shard = rest.cluster.state().indices().get("a").shard(0);
    CopyRouting replica = shard.replicas().iterator().next();
    rest.cluster.progress(progress(shard.primary(), shard.shard(), true, 100, 0));
    rest.cluster.progress(progress(replica, shard.shard(), false, 50, 31));

    MockHttpServletResponse refused = rest.call("PUT /a/_doc/1", "{}");

    assertThat(refused.getStatus()).isEqualTo(429);
    assertThat(text(refused))
        .contains("rejected_execution_exception")
        .contains("rejected execution on primary shard: [a][0] Stale Replicas: ");
    assertThat(text(rest.call("GET /_cat/segment_replication/a?h=rr"))).isEqualTo("1\n");
    rest.cluster.progress(progress(replica, shard.shard(), false, 100, 0));
    assertThat(rest.call("PUT /a/_doc/1", "{}").getStatus()).isEqualTo(201);
  }

  private static CopyProgress progress(
      CopyRouting copy, ShardId shard, boolean primary, long seqNo, long checkpointsBehind) {
    return new CopyProgress(
        copy.copyId(),
        shard,
        String.valueOf(copy.nodeId()),
        primary,
        "STARTED",
        1,
        1,
        0,
        seqNo,
        seqNo,
        0,
        checkpointsBehind,
        checkpointsBehind * 10_000,
        0,
        0,
        0,
        0);
  }

  @Test
  void whatDoesNotFitBesideTheWritesUnderWayIsRefused() {
    rest.cluster.index("a", 1);
    String large = "{\"f\":\"" + "x".repeat((int) RestHarness.PRESSURE_BYTES / 2) + "\"}";
    List<MockHttpServletResponse> meanwhile = new ArrayList<>();
    rest.shards.onBulk(call -> {
      if (meanwhile.isEmpty()) {
        meanwhile.add(rest.call("GET /_nodes/_local/stats/indexing_pressure"));
        meanwhile.add(rest.call("PUT /a/_doc/2", large));
      }
    });

    assertThat(rest.call("PUT /a/_doc/1", large).getStatus()).isEqualTo(201);

    assertThat(text(meanwhile.get(0))).contains("\"coordinating_in_bytes\":7");
    assertThat(meanwhile.get(1).getStatus()).isEqualTo(429);
    assertThat(json(meanwhile.get(1)).at("/error/type").asString())
        .isEqualTo("rejected_execution_exception");
    assertThat(text(rest.call("GET /_nodes/_local/stats/indexing_pressure")))
        .contains("\"coordinating_in_bytes\":0", "\"coordinating_rejections\":1");
    assertThat(rest.call("PUT /a/_doc/2", large).getStatus()).isEqualTo(201);
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
  void aReplicaThatCannotBeReachedDoesNotFailAWrite() {
    rest.cluster.stopClock();
    rest.cluster.index("a", 1);
    rest.cluster.setting("cluster.consistency.write.visible_timeout", "200ms");
    rest.shards.fail("a0r", new UnreachableException("gone", new IOException("gone")));

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?refresh=true", "{}");

    assertThat(response.getStatus()).isEqualTo(201);
    assertThat(json(response).at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(json(response).at("/_shards/failures/0/_node").asString())
        .isEqualTo(FakeCluster.REPLICA_NODE);
    assertThat(response.getHeader("Warning")).contains("not visible on every in-sync copy");
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
  void ofABulkOnlyWhatWasNotWrittenIsTriedAgain() {
    rest.cluster.index("a", 1);
    rest.shards.nextBulk(
        new BulkAnswer.Results(
            List.of(
                new WriteResult.Done("created", 41, 7, 1),
                new WriteResult.Failed(
                    ErrorBody.of(409, WriteResult.STALE_PRIMARY, "fenced by term 8")))));

    MockHttpServletResponse response =
        rest.call(
            "POST /a/_bulk", "{\"index\":{\"_id\":\"1\"}}\n{}\n{\"index\":{\"_id\":\"2\"}}\n{}\n");

    JsonNode items = json(response).at("/items");
    assertThat(items.at("/0/index/_seq_no").asLong()).isEqualTo(41);
    assertThat(items.at("/1/index/_seq_no").asLong()).as("the first that was written").isZero();
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "bulk a0p");
  }

  @Test
  void whileThePrimaryHandsOverItsSuccessorIsAskedInTurn() {
    rest.cluster.index("a", 1);
    ShardId shard = rest.cluster.state().indices().get("a").shard(0).shard();
    rest.cluster.change(state ->
        state
            .apply(
                new ClusterEvent.RelocationStarted(
                    shard, "a0p", "a0next", FakeCluster.REPLICA_NODE))
            .apply(new ClusterEvent.HandOverStarted(shard, "a0next", FakeCluster.TERM + 1)));
    rest.shards.nextBulk(
        new BulkAnswer.NotWritten(ErrorBody.of(409, WriteResult.STALE_PRIMARY, "fenced")));

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1", "{}");

    assertThat(response.getStatus()).isEqualTo(201);
    assertThat(json(response).at("/_primary_term").asLong()).isEqualTo(FakeCluster.TERM + 1);
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "bulk a0next");
  }

  @Test
  void whatMayHaveBeenWrittenIsNeverTriedAgain() {
    rest.cluster.index("a", 1);
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", false));

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

    assertThat(write.get(60, TimeUnit.SECONDS).getStatus()).isEqualTo(201);
  }

  @Test
  void withoutPrimaryInTimeAWriteIsUnavailable() {
    rest.cluster.stopClock();
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
