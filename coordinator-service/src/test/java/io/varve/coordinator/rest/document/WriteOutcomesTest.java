package io.varve.coordinator.rest.document;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Responses to writes that a shard, a copy or a limit stops, and the retries of such writes. */
class WriteOutcomesTest {
  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
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
  void aWriteThatIsTriedAgainSucceedsThoughTheCoordinatorIsRemovedMeanwhile() {
    rest.cluster.index("a", 1);
    rest.shards.onBulk(call -> rest.cluster.remove());
    rest.shards.nextBulk(
        new BulkAnswer.NotWritten(ErrorBody.of(409, WriteResult.STALE_PRIMARY, "fenced")));

    assertThat(rest.call("PUT /a/_doc/1", "{}").getStatus()).isEqualTo(201);
    assertThat(rest.call("PUT /a/_doc/2", "{}").getStatus()).isEqualTo(503);
  }

  @Test
  void whatMayHaveBeenWrittenIsUnknownThoughTheCoordinatorIsRemovedMeanwhile() {
    rest.cluster.stopClock();
    rest.cluster.index("a", 1);
    rest.shards.onBulk(call -> {
      rest.cluster.remove();
      rest.cluster.all("a", true, CopyRouting.State.INITIALIZING);
    });
    rest.shards.nextBulk(new BulkAnswer.Unknown("connection reset", true));

    MockHttpServletResponse response = rest.call("PUT /a/_doc/1?timeout=10ms", "{}");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/type").asString()).isEqualTo("unknown_outcome_exception");
  }

  @Test
  void aWriteIsWrittenAndVisibleThoughTheCoordinatorIsRemovedMeanwhile() {
    rest.cluster.index("a", 1);
    rest.shards.onBulk(call -> rest.cluster.remove());

    assertThat(rest.call("PUT /a/_doc/1?refresh=true", "{}").getStatus()).isEqualTo(201);
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
}
