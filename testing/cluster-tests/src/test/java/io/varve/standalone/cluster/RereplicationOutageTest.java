package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A process dies while a job of {@code _rereplicate} works on its shards. */
@Tag("system")
@Tag("nightly")
class RereplicationOutageTest {

  private static final int DOCUMENTS = 6_000;

  @TempDir Path data;

  private static TestIndex forgetful(RunningCluster cluster) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), "outage");
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_shards":2,"number_of_replicas":1,
              "index.replication.type":"DOCUMENT","index.replication.consistency":"strong",
              "index.replication.appeals":"none"}}
            """)
        .orThrow();
    index.awaitGreen();
    for (int from = 0; from < DOCUMENTS; from += 1_000) {
      index.index(from, from + 1_000);
    }
    index.refresh();
    index.call("POST", "/_close", "").orThrow();
    index.call("POST", "/_open", "").orThrow();
    index.awaitGreen();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(unreplicated(cluster)).isEqualTo(DOCUMENTS));
    return index;
  }

  private static long unreplicated(RunningCluster cluster) throws IOException {
    long sum = 0;
    for (JsonNode row :
        cluster
            .rest()
            .get("/_cat/replication/outage?format=json&h=unreplicated_records")
            .orThrow()
            .json()) {
      sum += row.path("unreplicated_records").asLong(DOCUMENTS);
    }
    return sum;
  }

  private static String nodeOfPrimary(TestIndex index, String shard) throws IOException {
    return index.copies("shard").stream()
        .filter(row -> row.path("prirep").asString("").equals("p"))
        .filter(row -> row.path("shard").asString("").equals(shard))
        .map(row -> row.path("node").asString(""))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void otherShardsGoOnAndItsOwnContinueUnderTheNextPrimary() throws Exception {
    try (RunningCluster cluster =
        RunningCluster.start(
            data, "--shard-services", "2", "--replication-services", "1", "--ccr-followers", "0")) {
      TestIndex index = forgetful(cluster);
      assertThat(nodeOfPrimary(index, "0")).isNotEqualTo(nodeOfPrimary(index, "1"));

      String task =
          index
              .call("POST", "/_rereplicate?wait_for_completion=false&requests_per_second=1000", "")
              .orThrow()
              .json()
              .path("task")
              .asString();
      String path = "/_tasks/" + task;
      Await.within(TestIndex.SOON)
          .untilAsserted(() ->
              assertThat(
                      cluster
                          .rest()
                          .get(path)
                          .orThrow()
                          .json()
                          .at("/task/status/checked")
                          .asLong(0))
                  .isPositive());
      cluster.kill(nodeOfPrimary(index, "0"));

      Await.within(TestIndex.SOON)
          .untilAsserted(() ->
              assertThat(cluster.rest().get(path).orThrow().json().path("completed").asBoolean())
                  .isTrue());
      JsonNode answer = cluster.rest().get(path).orThrow().json().path("response");
      assertThat(answer.path("failures")).isEmpty();
      assertThat(answer.at("/shards/1/done").asBoolean()).isTrue();
      assertThat(answer.at("/shards/1/restarted").asBoolean()).isFalse();
      assertThat(answer.at("/shards/0/done").asBoolean()).isTrue();
      assertThat(answer.at("/shards/0/restarted").asBoolean()).isTrue();

      // Records that were asked for while too few copies were in sync have timed out.
      index.awaitGreen();
      Await.within(TestIndex.SOON)
          .untilAsserted(() -> {
            index.call("POST", "/_rereplicate", "").orThrow();
            assertThat(unreplicated(cluster)).isZero();
          });
    }
  }
}
