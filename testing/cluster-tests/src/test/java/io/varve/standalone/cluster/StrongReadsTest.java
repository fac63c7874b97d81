package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
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
  void take(RunningCluster shared) throws Exception {
    cluster = shared;
  }

  private TestIndex strong(String type) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), "ledger-" + type.toLowerCase(Locale.ROOT));
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
