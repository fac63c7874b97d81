package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Keeps segments from a replica for a while: writes are rejected before it lags too far, reads with
 * a consistency guarantee avoid it, and it catches up afterwards.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class HeldCopyingTest {

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) throws IOException {
    cluster = shared;
    Patience.begin(cluster.rest());
    limits("2", "\"100ms\"");
  }

  @AfterEach
  void giveBack() throws IOException {
    cluster.gate().openForAll();
    limits("null", "null");
  }

  private void limits(String checkpoints, String time) throws IOException {
    cluster
        .rest()
        .call(
            "PUT",
            "/_cluster/settings",
            """
            {"persistent":{"segrep.pressure.checkpoint.limit":%s,"segrep.pressure.time.limit":%s}}\
            """
                .formatted(checkpoints, time))
        .orThrow();
  }

  private TestIndex create(String name, int replicas, String more) throws Exception {
    return cluster.create(
        name,
        """
        {"number_of_replicas":%d,"refresh_interval":"100ms","remote_store.enabled":false%s}\
        """
            .formatted(replicas, more));
  }

  /** Blocks the copying of segments, then writes until a write is rejected. */
  private void fallBehind(TestIndex index) throws IOException {
    cluster.gate().close(index);
    Awaitility.await().atMost(TestIndex.SOON).until(() -> write(index).status() == 429);
  }

  private static RestCalls.Answer write(TestIndex index) throws IOException {
    return index.call("PUT", "/_doc/d9", "{\"n\":9}");
  }

  private void awaitWritesAreTaken(TestIndex index) {
    Awaitility.await().atMost(TestIndex.SOON).until(() -> write(index).status() / 100 == 2);
  }

  @Test
  void writesAreRefusedWhileTheReplicaIsTooFarBehindAndTakenWhenItHasCaughtUp() throws Exception {
    TestIndex index = create("pressed", 1, "");
    fallBehind(index);

    JsonNode error = write(index).json().path("error");
    assertThat(error.path("type").asString()).isEqualTo("rejected_execution_exception");
    assertThat(error.path("reason").asString())
        .startsWith("rejected execution on primary shard: [pressed][0] Stale Replicas: ");
    assertThat(index.replicationRows("").getFirst().path("rejected_requests").asInt()).isPositive();
    cluster.gate().open(index);
    awaitWritesAreTaken(index);
    index.refresh();
    assertThat(index.count("_replica")).isEqualTo(1);
  }

  @Test
  void aReplicaThatIsStaleForTooLongIsGivenUpAndBuiltAnewUnderAnotherId() throws Exception {
    TestIndex index = create("given-up", 1, "");
    String before = idOfReplica(index);
    fallBehind(index);
    // Stale copies are first checked immediately, then after half a minute.
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() ->
            assertThat(index.replicationRows("&detailed=true&time=ms"))
                .singleElement()
                .satisfies(
                    row -> assertThat(row.path("current_lag").asInt()).isGreaterThan(1_000)));
    failStaleAfter("\"500ms\"");
    try {
      Await.within(TestIndex.SOON).until(() -> !idOfReplica(index).equals(before));
    } finally {
      failStaleAfter("null");
    }

    assertThat(index.count("_primary")).as("which nobody gave up").isPositive();
    cluster.gate().open(index);
    index.awaitGreen();
    awaitWritesAreTaken(index);
    index.refresh();
    assertThat(index.count("_replica")).isEqualTo(index.count("_primary"));
    assertThat(idOfReplica(index)).isNotEqualTo(before);
  }

  private void failStaleAfter(String time) throws IOException {
    cluster
        .rest()
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"segrep.replication.time.limit\":" + time + "}}")
        .orThrow();
  }

  private String idOfReplica(TestIndex index) throws IOException {
    for (JsonNode copy :
        cluster
            .rest()
            .get("/_cluster/state/routing_table/" + index.name())
            .orThrow()
            .json()
            .at("/routing_table/indices/" + index.name() + "/shards/0")) {
      if (!copy.path("primary").asBoolean()) {
        return copy.at("/allocation_id/id").asString();
      }
    }
    throw new AssertionError("no replica");
  }

  @Test
  void everyItemOfABulkIsRefused() throws Exception {
    TestIndex index = create("pressed-bulk", 1, "");
    fallBehind(index);

    JsonNode answer = index.bulk(20, 30);

    assertThat(answer.path("errors").asBoolean()).isTrue();
    for (JsonNode item : answer.path("items")) {
      assertThat(item.at("/index/status").asInt()).isEqualTo(429);
      assertThat(item.at("/index/error/type").asString()).isEqualTo("rejected_execution_exception");
    }
  }

  @Test
  void aReplicaCanBeAddedWhileWritesAreRefused() throws Exception {
    TestIndex index = create("pressed-added", 1, "");
    fallBehind(index);
    index.call("PUT", "/_settings", "{\"index.number_of_replicas\":2}").orThrow();
    cluster.gate().open(index);

    index.awaitGreen();
    awaitWritesAreTaken(index);
    index.refresh();
    for (String node : index.nodesOf("r")) {
      assertThat(index.count("_only_nodes:" + cluster.idOf(node))).as(node).isEqualTo(1);
    }
  }

  @Test
  void replicasThatIndexByThemselvesAreNotConcerned() throws Exception {
    TestIndex index = create("pressed-not", 1, ",\"replication.type\":\"DOCUMENT\"");
    cluster.gate().close(index);
    for (int n = 0; n < 6; n++) {
      index.put(n);
      index.refresh();
    }

    assertThat(write(index).status()).isEqualTo(201);
    assertThat(index.replicationRows("")).isEmpty();
  }

  @Test
  void aReplicaThatGetsNoFilesIsNotStartedAndTheIndexIsYellow() throws Exception {
    TestIndex index = create("yellow", 0, "");
    index.index(0, 20);
    index.refresh();
    cluster.gate().close(index);
    index.call("PUT", "/_settings", "{\"index.number_of_replicas\":1}").orThrow();
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .until(() ->
            index.copies("shard").stream()
                .anyMatch(row -> row.path("state").asString("").equals("INITIALIZING")));

    index.awaitHealth("yellow");
    assertThat(index.nodesOf("r")).isEmpty();
    assertThat(index.count("_replica_first")).isEqualTo(20);
    cluster.gate().open(index);
    index.awaitGreen();
    assertThat(index.count("_replica")).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "wait_for"})
  void aWriteThatWaitsIsAnsweredWhenTheSlowReplicaShowsIt(String refresh) throws Exception {
    TestIndex index =
        cluster.create(
            "slow-" + refresh.replace('_', '-'),
            "{\"number_of_replicas\":2,\"refresh_interval\":\"200ms\","
                + "\"remote_store.enabled\":false}");
    List<String> replicas = index.nodesOf("r");
    cluster.gate().slowDown(index, 1_500);

    JsonNode written = index.put(1, "?refresh=" + refresh);

    assertThat(written.at("/_shards/failed").asInt()).isZero();
    assertThat(replicas).hasSize(2);
    for (String node : replicas) {
      assertThat(index.count("_only_nodes:" + cluster.idOf(node))).as(node).isEqualTo(1);
    }
  }

  @Test
  void aReadThatMustNotBeStaleGoesElsewhereOrFails() throws Exception {
    TestIndex index = create("bounded", 1, "");
    index.put(0);
    index.refresh();
    cluster.gate().close(index);
    index.put(1);
    index.awaitCount("_primary", 2);
    assertThat(index.count("_replica")).as("which is promised nothing").isEqualTo(1);

    assertThat(
            index
                .get(
                    "/_count?preference=_replica_first&max_staleness=100ms&consistency_timeout=60s")
                .path("count")
                .asInt())
        .isEqualTo(2);
    RestCalls.Answer late =
        index.call(
            "GET",
            "/_search?preference=_only_nodes:"
                + cluster.idOf(index.nodesOf("r").getFirst())
                + "&max_staleness=100ms&consistency_timeout=500ms",
            "{}");
    assertThat(late.status()).isEqualTo(504);
    assertThat(late.json().at("/error/root_cause/0/type").asString())
        .isEqualTo("visibility_timeout_exception");
  }

  @Test
  void theTableTellsWhoIsBehindAndWhoIsNot() throws Exception {
    TestIndex held = create("rows-held", 1, ",\"number_of_shards\":2");
    TestIndex free = create("rows-free", 1, "");
    TestIndex nowhere = create("rows-unassigned", 0, "");
    nowhere.call("PUT", "/_settings", "{\"index.number_of_replicas\":9}").orThrow();
    cluster.gate().close(held);
    held.index(0, 50);
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> assertThat(held.replicationRows("&active_only=true")).hasSize(2));

    assertThat(held.replicationRows("&completed_only=true")).isEmpty();
    assertThat(held.replicationRows("&shards=1"))
        .singleElement()
        .returns("[rows-held][1]", row -> row.path("shardId").asString());
    // The lag starts at zero and grows.
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() ->
            assertThat(held.replicationRows("&detailed=true&bytes=b&time=ms"))
                .hasSize(2)
                .allSatisfy(row -> {
                  assertThat(row.path("stage").asString()).isEqualTo("STARTED");
                  assertThat(row.path("checkpoints_behind").asInt()).isPositive();
                  assertThat(row.path("current_lag").asInt()).isPositive();
                  assertThat(row.path("visible_seq_no").asInt()).isEqualTo(-1);
                }));
    free.index(0, 10);
    free.refresh();
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> assertThat(free.replicationRows("&active_only=true")).isEmpty());
    TestIndex both = new TestIndex(cluster.rest(), "rows-held,rows-free");
    assertThat(both.replicationRows("")).hasSize(3);
    // Unassigned copies have no row; there are nodes for four of nine copies.
    assertThat(nowhere.replicationRows("").size()).isLessThan(9);
    cluster.gate().open(held);
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> assertThat(held.replicationRows("&completed_only=true")).hasSize(2));
    nowhere.call("DELETE", "", "").orThrow();
  }
}
