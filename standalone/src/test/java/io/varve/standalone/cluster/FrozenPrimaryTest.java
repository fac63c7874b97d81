package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The story: a load runs, the process of the primary freezes, its replica is promoted where it
 * stands and takes the writes. The frozen process wakes, still believing, is fenced off and becomes
 * a replica of what it was the primary of.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class FrozenPrimaryTest {

  private static final int MOST_DOCUMENTS = 9_000;
  private static final Duration WITHIN = Duration.ofMinutes(5);

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
    NumberedLoad load = new NumberedLoad(cluster.rest(), index, MOST_DOCUMENTS);
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      cluster.freeze(frozen);
      Await.within(WITHIN).until(() -> !nodeOfPrimary(index).equals(frozen));
      int ackedBefore = load.ackedCount();
      awaitAcked(load, ackedBefore + 100);
      cluster.thaw(frozen);
      awaitAcked(load, ackedBefore + 200);
    }
    cluster.awaitGreen();
    cluster.rest().call("POST", "/" + index + "/_refresh", "").orThrow();
    assertThat(nodeOfPrimary(index)).isNotEqualTo(frozen);
    for (String copy : List.of("_primary", "_replica")) {
      Await.within(WITHIN).untilAsserted(() -> load.assertEachAckedOnceOn(copy));
    }
  }

  private static void awaitAcked(NumberedLoad load, int count) {
    Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= count);
  }

  /** The name of its node, which is that of its process. */
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
