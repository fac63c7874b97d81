package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.DocumentsWire;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gets of a strongly consistent index, whose processes are killed and frozen. */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class StrongReadsTest {

  private static final Duration WITHIN = Duration.ofMinutes(2);

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) throws IOException {
    cluster = shared;
    Patience.begin(cluster.rest());
  }

  private TestIndex strong(String type) throws Exception {
    return strong("ledger", type);
  }

  private TestIndex strong(String name, String type) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), name + "-" + type.toLowerCase(Locale.ROOT));
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"100ms",
              "index.replication.type":"%s","index.replication.consistency":"strong"}}
            """
                .formatted(type))
        .orThrow();
    index.awaitGreen();
    return index;
  }

  private static int status(TestIndex index, String path) throws IOException {
    return index.call("GET", path, "").status();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aGetReturnsWritesAndDeletesBeforeAndAfterThePrimaryIsKilled(String type) throws Exception {
    TestIndex index = strong(type);
    index.put(1);
    index.put(2, "?refresh=wait_for");
    index.put(3, "?refresh=true");
    assertThat(index.get("/_doc/d1").at("/_source/n").asInt()).isEqualTo(1);
    index.delete(2, 3);
    assertThat(status(index, "/_doc/d2")).isEqualTo(404);
    assertThat(status(index, "/_doc/never")).isEqualTo(404);
    assertThat(status(index, "/_doc/d1?preference=_replica")).isEqualTo(200);

    String primary = index.nodeOfPrimary();
    cluster.kill(primary);
    Await.within(WITHIN).until(() -> status(index, "/_doc/d1") == 200);
    Await.within(WITHIN).until(() -> status(index, "/_doc/d2") == 404);
    Await.within(WITHIN)
        .until(() -> index.call("PUT", "/_doc/d1?timeout=5s", "{\"n\":7}").status() == 200);
    Await.within(WITHIN).until(() -> status(index, "/_doc/d1") == 200);
    assertThat(index.get("/_doc/d1").at("/_source/n").asInt()).isEqualTo(7);
  }

  @Test
  void aWriteThatACopyDoesNotConfirmIsNotReturnedUntilItDoes() throws Exception {
    TestIndex index = strong("DOCUMENT");
    index.put(1);
    assertThat(status(index, "/_doc/d1")).isEqualTo(200);
    String replica = index.nodesOf("r").getFirst();
    cluster.freeze(replica);
    try {
      index.put(5);
      RestCalls.Answer answer = index.call("GET", "/_doc/d5?consistency_timeout=1s", "");
      assertThat(answer.status()).as(answer::text).isIn(503, 504);
    } finally {
      cluster.thaw(replica);
    }
    Await.within(WITHIN).until(() -> status(index, "/_doc/d5") == 200);
  }

  /** The former primary would answer that there is no such document. */
  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aFormerPrimaryThatWakesUpDoesNotAnswerAsBefore(String type) throws Exception {
    TestIndex index = strong("woken", type);
    index.put(1);
    assertThat(status(index, "/_doc/d1")).isEqualTo(200);
    String frozen = index.nodeOfPrimary();
    String[] written = {""};
    Future<RestCalls.Answer> asked;
    cluster.freeze(frozen);
    try {
      cluster.leaves(frozen);
      index.awaitPrimaryElsewhereThan(frozen);
      Await.within(WITHIN)
          .until(() -> {
            RestCalls.Answer answer = index.call("POST", "/_doc?timeout=5s", "{\"n\":7}");
            written[0] = answer.json().path("_id").asString("");
            return answer.status() == 201;
          });
      asked = asked(frozen, index.uuid(), written[0]);
    } finally {
      cluster.thaw(frozen);
    }
    assertIsRefused(asked.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS));
    Await.within(WITHIN).until(() -> status(index, "/_doc/" + written[0]) == 200);
  }

  /** Asks a node for the document as a coordinator would that knows no later primary. */
  private Future<RestCalls.Answer> asked(String process, String uuid, String id) throws Exception {
    RestCalls node = new RestCalls(cluster.url(process));
    FutureTask<RestCalls.Answer> answer =
        new FutureTask<>(() -> {
          try (node) {
            return node.call(
                "POST",
                "/_internal/shards/" + uuid + "/0/docs?realtime=true&item_errors=true",
                DocumentsWire.CONTENT_TYPE,
                DocumentsWire.encodeWanted(List.of(new DocumentsWire.Wanted(id, Set.of()))));
          }
        });
    Thread.ofVirtual().start(answer);
    return answer;
  }

  /** Or it has become a replica, and has the document. */
  private static void assertIsRefused(RestCalls.Answer answer) {
    if (answer.status() == 200) {
      assertThat(DocumentsWire.decodeResults(answer.body()))
          .hasSize(1)
          .noneMatch(
              result -> result instanceof DocumentsWire.Result.Read(var read) && !read.found());
    } else {
      assertThat(answer.status()).as(answer::text).isGreaterThanOrEqualTo(400);
    }
  }

  @Test
  void moreCopiesInSyncThanThereAreAreRefused() throws Exception {
    RestCalls.Answer answer =
        cluster
            .rest()
            .call(
                "PUT",
                "/ledger-alone",
                """
                {"settings":{"number_of_replicas":0,"index.replication.consistency":"strong"}}
                """);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("index.replication.min_in_sync");
  }
}
