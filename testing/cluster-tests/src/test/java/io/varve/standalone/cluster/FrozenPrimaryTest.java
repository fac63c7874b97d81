package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.BulkWire;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.standalone.RestCalls;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Under load, the process of the primary freezes and leaves the cluster; its replica is promoted in
 * place and accepts writes. Pending requests to the frozen process then complete: a document
 * without an id is written by the new primary, a write with a client's id ends with an unknown
 * outcome, a get is answered. When the frozen process resumes, it still considers itself the
 * primary and has a pending write: the write is rejected, and its copy becomes a replica.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class FrozenPrimaryTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  /** The outcome is unknown if the process was frozen for longer than an append may take. */
  private static final Set<String> REFUSALS =
      Set.of(WriteResult.STALE_PRIMARY, WriteResult.UNKNOWN_OUTCOME, "shard_not_found_exception");

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) throws InterruptedException {
    cluster = shared;
    cluster.awaitGreen();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void itsReplicaIsPromotedAndNoAckedDocumentIsLostOrDoubled(String replication) throws Exception {
    String index = "frozen-" + replication.toLowerCase(java.util.Locale.ROOT);
    cluster
        .rest()
        .call(
            "PUT",
            "/" + index,
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms","replication.type":"%s"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"}}}}\
            """
                .formatted(replication))
        .orThrow();
    cluster.awaitGreen();
    String frozen = nodeOfPrimary(index);
    TestIndex frozenIndex = new TestIndex(cluster.rest(), index);
    long term = frozenIndex.put(-3).path("_primary_term").asLong();
    Future<RestCalls.Answer> zombie;
    NumberedLoad load = new NumberedLoad(cluster.rest(), index);
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      int ackedBefore;
      cluster.freeze(frozen);
      try {
        SentToFrozen sent = SentToFrozen.of(cluster.rest(), index);
        zombie = sent(() -> writeTo(frozen, frozenIndex.uuid(), term));
        // The load has a write in flight too.
        Await.within(WITHIN).until(() -> writesUnderWay() >= 3);
        cluster.leaves(frozen);
        Await.within(WITHIN).until(() -> !nodeOfPrimary(index).equals(frozen));
        sent.assertEachEnded();
        assertThat(zombie.isDone()).isFalse();
        ackedBefore = load.ackedCount();
        awaitAcked(load, ackedBefore + 100, "the new primary acks writes");
      } finally {
        cluster.thaw(frozen);
      }
      assertIsRefused(ended(zombie));
      awaitAcked(load, ackedBefore + 200, "writes are acked after the frozen process resumed");
    }
    cluster.awaitGreen();
    cluster.rest().call("POST", "/" + index + "/_refresh", "").orThrow();
    assertThat(nodeOfPrimary(index)).isNotEqualTo(frozen);
    assertThat(frozenIndex.call("GET", "/_doc/zombie", "").status()).isEqualTo(404);
    for (String copy : List.of("_primary", "_replica")) {
      Await.within(WITHIN).untilAsserted(() -> load.assertEachAckedOnceOn(copy));
    }
  }

  /** Writes as a coordinator would that has not yet learned of the new primary. */
  private RestCalls.Answer writeTo(String process, String uuid, long term) throws Exception {
    byte[] body = "{\"n\":-4}".getBytes(UTF_8);
    try (RestCalls node = new RestCalls(cluster.url(process))) {
      return node.call(
          "POST",
          "/_internal/shards/" + uuid + "/0/bulk?term=" + term,
          BulkWire.CONTENT_TYPE,
          BulkWire.encodeItems(List.of(WriteItem.index("zombie", body))));
    }
  }

  /**
   * Checks that the request or each of its items failed because the process is no longer the
   * primary, and for no other reason.
   */
  private static void assertIsRefused(RestCalls.Answer answer) {
    List<String> outcomes =
        answer.status() == 200
            ? BulkWire.decodeResults(answer.body()).stream()
                .map(FrozenPrimaryTest::outcome)
                .toList()
            : List.of(ErrorBodies.read(answer.status(), answer.body()).type());
    assertThat(outcomes).as("the write to the former primary").isNotEmpty().isSubsetOf(REFUSALS);
  }

  private static String outcome(WriteResult result) {
    return result instanceof WriteResult.Failed(ErrorBody error) ? error.type() : result.toString();
  }

  /** Returns the number of shard-level writes that the coordinator has in flight. */
  private int writesUnderWay() throws Exception {
    return cluster
        .rest()
        .get("/_tasks?nodes=_local&group_by=none&actions=indices:data/write/bulk%5Bs%5D*")
        .orThrow()
        .json()
        .path("tasks")
        .size();
  }

  private static Future<RestCalls.Answer> sent(Callable<RestCalls.Answer> request) {
    FutureTask<RestCalls.Answer> answer = new FutureTask<>(request);
    Thread.ofVirtual().start(answer);
    return answer;
  }

  private static RestCalls.Answer ended(Future<RestCalls.Answer> request) throws Exception {
    return request.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Requests that wait for a process that does not respond; their timeouts exceed the test's. */
  private record SentToFrozen(
      Future<RestCalls.Answer> bulk, Future<RestCalls.Answer> put, Future<RestCalls.Answer> get) {

    static SentToFrozen of(RestCalls rest, String index) {
      byte[] bulk = "{\"index\":{}}\n{\"n\":-1}\n".getBytes(UTF_8);
      String bulkPath = "/" + index + "/_bulk?timeout=1h";
      return new SentToFrozen(
          sent(() -> rest.call("POST", bulkPath, "application/x-ndjson", bulk)),
          sent(() -> rest.call("PUT", "/" + index + "/_doc/mine?timeout=1h", "{\"n\":-2}")),
          sent(() -> rest.get("/" + index + "/_doc/nobodys")));
    }

    void assertEachEnded() throws Exception {
      assertThat(ended(bulk).json().at("/items/0/index/status").asInt())
          .as(ended(bulk).text())
          .isEqualTo(201);
      assertThat(ended(put).json().at("/error/type").asString(""))
          .as(ended(put).text())
          .isEqualTo("unknown_outcome_exception");
      assertThat(ended(get).json().path("found").asBoolean(true)).as(ended(get).text()).isFalse();
    }
  }

  private static void awaitAcked(NumberedLoad load, int count, String expectation) {
    Awaitility.await(expectation).atMost(WITHIN).until(load::ackedCount, acked -> acked >= count);
  }

  /** The node name of the primary, which is the name of its process. */
  private String nodeOfPrimary(String index) throws Exception {
    JsonNode rows =
        cluster
            .rest()
            .call("GET", "/_cat/shards/" + index + "?format=json&h=prirep,node", "")
            .orThrow()
            .json();
    for (JsonNode row : rows) {
      if (row.path("prirep").asString("").equals("p")) {
        return row.path("node").asString("");
      }
    }
    throw new IllegalStateException("no primary in " + rows);
  }
}
