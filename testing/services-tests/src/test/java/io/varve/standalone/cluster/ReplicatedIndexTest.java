package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Checks that every copy shows all writes, whatever happens to the index. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ReplicatedIndexTest {

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private static String noRefresh(int replicas, String more) {
    return "{\"number_of_replicas\":%d,\"refresh_interval\":\"-1\"%s}".formatted(replicas, more);
  }

  private static void assertCopiesAreEqual(TestIndex index, int documents) throws Exception {
    SortedMap<String, String> primary = index.contents("_primary");
    assertThat(primary).hasSize(documents);
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> assertThat(index.contents("_replica")).isEqualTo(primary));
  }

  @ParameterizedTest
  @CsvSource({"default, SEGMENT", "best_compression, SEGMENT", "best_compression, DOCUMENT"})
  void copiesAreEqualAfterARefreshAndAFlush(String codec, String replication) throws Exception {
    TestIndex index =
        cluster.create(
            "codec-" + codec + "-" + replication.toLowerCase(java.util.Locale.ROOT),
            noRefresh(
                1, ",\"codec\":\"" + codec + "\",\"replication.type\":\"" + replication + "\""));
    index.index(0, 100);
    index.refresh();
    index.index(50, 150);
    index.call("POST", "/_flush", "").orThrow();
    index.refresh();

    assertCopiesAreEqual(index, 150);
  }

  @Test
  void shardsAreReplicatedSideBySide() throws Exception {
    TestIndex index = cluster.create("shards", noRefresh(1, ",\"number_of_shards\":3"));
    index.index(0, 300);
    index.refresh();

    assertThat(index.count("_primary")).isEqualTo(300);
    assertThat(index.count("_replica")).isEqualTo(300);
  }

  @Test
  void aForceMergeReachesTheReplicasAsTheSameFiles() throws Exception {
    TestIndex index = cluster.create("merged", noRefresh(2, ""));
    for (int round = 0; round < 5; round++) {
      index.index(20 * round, 20 * round + 40);
      index.refresh();
    }
    index.call("POST", "/_forcemerge?max_num_segments=1", "").orThrow();

    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> {
          JsonNode copies = index.get("/_segments").at("/indices/merged/shards/0");
          assertThat(copies).hasSize(3);
          for (JsonNode copy : copies) {
            assertThat(copy.path("segments")).hasSize(1);
            assertThat(segment(copy)).isEqualTo(segment(copies.get(0)));
          }
        });
    assertCopiesAreEqual(index, 120);
  }

  private static List<String> segment(JsonNode copy) {
    JsonNode segment = copy.path("segments").iterator().next();
    return List.of(
        copy.path("segments").propertyNames().toString(),
        segment.path("num_docs").toString(),
        segment.path("size_in_bytes").toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaThatIsAddedLaterHasWhatWasWrittenBefore(boolean merged) throws Exception {
    TestIndex index = cluster.create("added-" + merged, noRefresh(0, ""));
    index.index(0, 60);
    index.refresh();
    index.index(40, 80);
    if (merged) {
      index.call("POST", "/_forcemerge?max_num_segments=1&flush=false", "").orThrow();
    }
    index.call("PUT", "/_settings", "{\"index.number_of_replicas\":1}").orThrow();
    index.awaitGreen();
    index.refresh();

    assertCopiesAreEqual(index, 80);
  }

  @Test
  void deletesReachTheReplica() throws Exception {
    TestIndex index = cluster.create("deletes", noRefresh(1, ""));
    index.index(0, 20);
    index.refresh();
    index.delete(0, 5);
    index.refresh();

    assertThat(index.count("_replica")).isEqualTo(15);
    assertCopiesAreEqual(index, 15);
  }

  @Test
  void anUpdateThatWaitsIsShownByEveryCopyAndForcesNoRefresh() throws Exception {
    TestIndex index =
        cluster.create("updates", "{\"number_of_replicas\":1,\"refresh_interval\":\"300ms\"}");
    index.put(1);
    JsonNode updated =
        index.call("POST", "/_update/d1?refresh=wait_for", "{\"doc\":{\"n\":7}}").orThrow().json();

    assertThat(updated.path("_version").asInt()).isEqualTo(2);
    assertThat(updated.path("forced_refresh").asBoolean(false)).isFalse();
    for (String copy : List.of("_primary", "_replica")) {
      assertThat(index.contents(copy).get("d1")).as(copy).startsWith("2 1 ").contains("7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aClosedIndexIsGreenAndHasItsDataWhenItIsOpenedAgain(String replication) throws Exception {
    TestIndex index =
        cluster.create(
            "closed-" + replication.toLowerCase(java.util.Locale.ROOT),
            noRefresh(1, ",\"replication.type\":\"" + replication + "\""));
    index.index(0, 30);
    index.refresh();
    index.index(30, 50);
    index.call("POST", "/_close", "").orThrow();
    index.awaitGreen();
    index.call("POST", "/_open", "").orThrow();
    index.awaitGreen();
    index.refresh();

    assertCopiesAreEqual(index, 50);
  }

  @Test
  void aFlushOfWhatIsShownAlreadyLeavesNoReplicaBehind() throws Exception {
    TestIndex index = cluster.create("flushed", noRefresh(1, ""));
    index.index(0, 10);
    index.refresh();
    index.call("POST", "/_flush?force=true", "").orThrow();
    index.refresh();

    assertReplicaIsCurrent(index);
  }

  @Test
  void aNewReplicaIsCurrentWhenItIsStarted() throws Exception {
    TestIndex index = cluster.create("newcomer", noRefresh(0, ""));
    index.index(0, 200);
    index.refresh();
    index.call("PUT", "/_settings", "{\"index.number_of_replicas\":2}").orThrow();
    index.awaitGreen();

    for (String node : index.nodesOf("r")) {
      String id = cluster.idOf(node);
      assertThat(index.count("_only_nodes:" + id)).as(node).isEqualTo(200);
    }
    assertReplicaIsCurrent(index);
  }

  private static void assertReplicaIsCurrent(TestIndex index) {
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> {
          List<JsonNode> rows = index.replicationRows("");
          assertThat(rows).isNotEmpty();
          for (JsonNode row : rows) {
            assertThat(row.path("checkpoints_behind").asString()).isEqualTo("0");
            assertThat(row.path("bytes_behind").asString()).isEqualTo("0b");
            assertThat(row.path("current_lag").asString()).isEqualTo("0s");
          }
        });
  }
}
