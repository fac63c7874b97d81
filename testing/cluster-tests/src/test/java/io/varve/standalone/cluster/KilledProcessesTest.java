package io.varve.standalone.cluster;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under load, kills one process or all processes with SIGKILL and restarts them. Afterwards every
 * acked document exists exactly once on the primary and on the replica, and no document is
 * duplicated.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class KilledProcessesTest {

  private static final String EVERYTHING = "everything";
  private static final Duration WITHIN = Duration.ofMinutes(5);

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) throws InterruptedException {
    cluster = shared;
    cluster.awaitGreen();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shard-service-1",
        "replication-service-1",
        "coordinator-1",
        "broker-1",
        EVERYTHING
      })
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
    NumberedLoad load = new NumberedLoad(cluster.rest(), index);
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      if (process.equals(EVERYTHING)) {
        cluster.killEverything();
      } else {
        cluster.kill(process);
      }
      int ackedBefore = load.ackedCount();
      Awaitility.await("writes are acked after the kill of " + process)
          .atMost(WITHIN)
          .until(load::ackedCount, acked -> acked > ackedBefore + 200);
    }
    cluster.awaitGreen();
    cluster.rest().call("POST", "/" + index + "/_refresh", "").orThrow();
    for (String copy : List.of("_primary", "_replica")) {
      // A killed node remains a member until the node timeout, so calls to it fail until it has
      // restarted.
      Await.within(WITHIN).untilAsserted(() -> load.assertEachAckedOnceOn(copy));
    }
  }
}
