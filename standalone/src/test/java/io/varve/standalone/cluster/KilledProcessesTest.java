package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The story: a load runs, one process is killed with -9, comes back, the load goes on. Then every
 * document that was acked is there once, on the primary and on the replica, and no document is
 * there twice.
 */
class KilledProcessesTest {

  private static final int MOST_DOCUMENTS = 9_000;
  private static final Duration WITHIN = Duration.ofMinutes(2);

  @TempDir static Path folder;
  private static RunningCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        RunningCluster.start(
            folder, "--shard-services", "1", "--replication-services", "1", "--ccr-followers", "0");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard-service-1", "replication-service-1", "coordinator-1", "broker-1"})
  void killingItDuringALoadLosesNoAckedDocumentAndDoublesNone(String process) throws Exception {
    String index = "killed-" + process;
    cluster
        .rest()
        .call(
            "PUT",
            "/" + index,
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"}}}}\
            """)
        .orThrow();
    cluster.awaitGreen();
    NumberedLoad load = new NumberedLoad(cluster.rest(), index, MOST_DOCUMENTS);
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      cluster.kill(process);
      int ackedBefore = load.ackedCount();
      Awaitility.await()
          .atMost(WITHIN)
          .until(() -> load.ackedCount() > ackedBefore + 200 || load.sent() >= MOST_DOCUMENTS);
    }
    cluster.awaitGreen();
    cluster.rest().call("POST", "/" + index + "/_refresh", "").orThrow();
    for (String copy : List.of("_primary", "_replica")) {
      // A killed node is a member until its silence is noticed: asking it fails until it is back.
      Awaitility.await()
          .atMost(WITHIN)
          .ignoreExceptions()
          .untilAsserted(() -> assertEachAckedOnce(index, copy, load));
    }
  }

  private static void assertEachAckedOnce(String index, String copy, NumberedLoad load)
      throws Exception {
    SortedMap<Integer, Integer> found = numbers(index, copy);
    assertThat(found.keySet()).as("acked and there, %s", copy).containsAll(load.acked());
    assertThat(found.values()).as("there once, %s", copy).allMatch(times -> times == 1);
  }

  /** How often each number is found. */
  private static SortedMap<Integer, Integer> numbers(String index, String preference)
      throws Exception {
    RestCalls.Answer answer =
        cluster
            .rest()
            .call(
                "POST",
                "/" + index + "/_search?preference=" + preference,
                "{\"size\":10000,\"track_total_hits\":true,\"query\":{\"match_all\":{}},\"sort\":[\"n\"]}")
            .orThrow();
    SortedMap<Integer, Integer> times = new TreeMap<>();
    for (JsonNode hit : answer.json().path("hits").path("hits")) {
      times.merge(hit.path("_source").path("n").asInt(), 1, Integer::sum);
    }
    return times;
  }
}
