package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Changes the codec of an open index and rewrites its old segments. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ReencodedIndexTest {

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  /** Segment replicas copy the new segments; document replicas rewrite their own. */
  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aTaskWritesOldSegmentsAnewAndReplicasGetThem(String replication) throws Exception {
    TestIndex index =
        cluster.create(
            "reencoded-" + replication.toLowerCase(Locale.ROOT),
            "{\"number_of_replicas\":1,\"refresh_interval\":\"-1\",\"replication.type\":\""
                + replication
                + "\"}");
    for (int round = 0; round < 3; round++) {
      index.index(20 * round, 20 * round + 20);
      index.refresh();
    }
    index.call("PUT", "/_settings", "{\"index.codec\":\"zstd\"}").orThrow();

    String task =
        index
            .call("POST", "/_reencode?wait_for_completion=false", "")
            .orThrow()
            .json()
            .path("task")
            .asString("");
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .until(() -> answer(task).path("completed").asBoolean(false));

    assertThat(answer(task).at("/response/_shards/failed").asInt()).isZero();
    assertThat(answer(task).at("/response/segments").asInt()).isPositive();
    assertThat(answer(task).at("/response/segments_left").asInt(-1)).isZero();
    Awaitility.await().atMost(TestIndex.SOON).untilAsserted(() -> allSegmentsAreByZstd(index));
    assertThat(index.contents("_primary")).hasSize(60).isEqualTo(index.contents("_replica"));
  }

  private JsonNode answer(String task) throws Exception {
    return cluster.rest().get("/_tasks/" + task).orThrow().json();
  }

  private static void allSegmentsAreByZstd(TestIndex index) throws Exception {
    JsonNode copies = index.get("/_segments").at("/indices/" + index.name() + "/shards/0");
    assertThat(copies).hasSize(2);
    for (JsonNode copy : copies) {
      // The last commit may still refer to old segments, which no search uses.
      assertThat(copy.path("segments"))
          .filteredOn(segment -> segment.path("search").asBoolean())
          .isNotEmpty()
          .allSatisfy(segment ->
              assertThat(segment.at("/stored_fields/mode").asString("")).isEqualTo("zstd"));
    }
  }
}
