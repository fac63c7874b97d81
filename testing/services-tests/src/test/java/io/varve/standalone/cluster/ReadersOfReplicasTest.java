package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Checks that a reader of a replica keeps its point in time while segments are replaced. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ReadersOfReplicasTest {

  private static final int DOCUMENTS = 100;
  private static final int ROUNDS = 50;
  private static final String NO_REFRESH =
      "{\"number_of_replicas\":1,\"refresh_interval\":\"-1\",\"remote_store.enabled\":false}";

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex hundredDocuments(String name) throws Exception {
    TestIndex index = cluster.create(name, NO_REFRESH);
    index.index(0, DOCUMENTS);
    index.refresh();
    return index;
  }

  /** Deletes documents and merges, so that no original segment remains. */
  private static void replaceAllSegments(TestIndex index) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      index.replace(List.of(2 * round, 2 * round + 1), DOCUMENTS + round);
      if (round % 10 == 0) {
        index.call("POST", "/_forcemerge?max_num_segments=1&flush=false", "").orThrow();
      }
      index.refresh();
    }
    index.awaitCount("_replica", ROUNDS);
  }

  private JsonNode openScroll(TestIndex index, int size) throws IOException {
    return index
        .call(
            "POST",
            "/_search?scroll=5m&preference=_replica",
            "{\"size\":" + size + ",\"sort\":[\"n\"]}")
        .orThrow()
        .json();
  }

  private RestCalls.Answer scroll(String method, String id) throws IOException {
    return cluster
        .rest()
        .call(
            method,
            "/_search/scroll",
            method.equals("DELETE")
                ? "{\"scroll_id\":\"" + id + "\"}"
                : "{\"scroll\":\"5m\",\"scroll_id\":\"" + id + "\"}");
  }

  /** Returns the ids of the scroll's first page and of all remaining pages. */
  private Set<String> readOn(JsonNode first) throws IOException {
    Set<String> seen = new HashSet<>();
    JsonNode page = first;
    while (!page.at("/hits/hits").isEmpty()) {
      page.at("/hits/hits")
          .forEach(hit -> assertThat(seen.add(hit.path("_id").asString())).isTrue());
      page = scroll("POST", page.path("_scroll_id").asString()).orThrow().json();
    }
    return seen;
  }

  private static void assertFilesAreThoseOfThePrimary(ServicesInOneJvm cluster, TestIndex index) {
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() -> {
          String primary = index.nodeOfPrimary();
          String replica = index.nodesOf("r").getFirst();
          assertThat(cluster.segmentFiles(replica, index))
              .isEqualTo(cluster.segmentFiles(primary, index));
        });
  }

  @Test
  void aScrollShowsAllThatItBeganWithAndItsFilesGoWhenItIsCleared() throws Exception {
    TestIndex index = hundredDocuments("scrolled");
    Set<String> before = cluster.segmentFiles(index.nodesOf("r").getFirst(), index);
    JsonNode first = openScroll(index, 10);
    replaceAllSegments(index);

    assertThat(cluster.segmentFiles(index.nodesOf("r").getFirst(), index)).containsAll(before);
    assertThat(readOn(first)).hasSize(DOCUMENTS).contains("d0", "d99").doesNotContain("d100");
    scroll("DELETE", first.path("_scroll_id").asString()).orThrow();
    assertFilesAreThoseOfThePrimary(cluster, index);
  }

  @Test
  void clearingAScrollWhileFilesComeHarmsNeither() throws Exception {
    TestIndex index = hundredDocuments("cleared");
    JsonNode first = openScroll(index, 10);
    cluster.gate().slowDown(index, 1_000);
    index.index(DOCUMENTS, DOCUMENTS + 50);
    try (ExecutorService aside = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> refreshed =
          aside.submit(() -> {
            index.refresh();
            return null;
          });
      scroll("DELETE", first.path("_scroll_id").asString()).orThrow();
      refreshed.get();
    }
    cluster.gate().open(index);

    index.awaitCount("_replica", DOCUMENTS + 50);
    assertFilesAreThoseOfThePrimary(cluster, index);
  }

  @Test
  void aPointInTimeShowsAllThatItBeganWithAndItsFilesGoWhenItIsDeleted() throws Exception {
    TestIndex index = hundredDocuments("pinned");
    Set<String> before = cluster.segmentFiles(index.nodesOf("r").getFirst(), index);
    String pit =
        index
            .call("POST", "/_search/point_in_time?keep_alive=5m&preference=_replica", "")
            .orThrow()
            .json()
            .path("pit_id")
            .asString();
    assertThat(openPits(index)).isEqualTo(1);
    replaceAllSegments(index);

    assertThat(cluster.segmentFiles(index.nodesOf("r").getFirst(), index)).containsAll(before);
    JsonNode found =
        cluster
            .rest()
            .call(
                "POST",
                "/_search",
                "{\"size\":200,\"track_total_hits\":true,\"pit\":{\"id\":\"" + pit + "\"}}")
            .orThrow()
            .json();
    assertThat(found.at("/hits/hits")).hasSize(DOCUMENTS);
    cluster
        .rest()
        .call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}")
        .orThrow();
    assertThat(openPits(index)).isZero();
    assertFilesAreThoseOfThePrimary(cluster, index);
  }

  private static int openPits(TestIndex index) throws IOException {
    return index.get("/_stats/search").at("/_all/total/search/point_in_time_current").asInt(-1);
  }

  @Test
  void scrollsAreWholeWhileOthersWriteFlushAndMerge() throws Exception {
    TestIndex index = hundredDocuments("busy");
    try (ExecutorService aside = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writing =
          aside.submit(() -> {
            for (int round = 1; round <= 10; round++) {
              index.index(round * DOCUMENTS, (round + 1) * DOCUMENTS);
              index.call("POST", round % 5 == 0 ? "/_forcemerge" : "/_flush", "").orThrow();
              index.refresh();
            }
            return null;
          });
      do {
        JsonNode first = openScroll(index, 500);
        int total = first.at("/hits/total/value").asInt();
        assertThat(total % DOCUMENTS).isZero();
        assertThat(readOn(first)).hasSize(total);
        scroll("DELETE", first.path("_scroll_id").asString()).orThrow();
      } while (!writing.isDone());
      writing.get();
    }
    index.awaitCount("_replica", 11 * DOCUMENTS);
  }

  @Test
  void aGetFromAnyCopySeesWhatIsNotRefreshed() throws Exception {
    TestIndex index = cluster.create("realtime", NO_REFRESH);
    index.put(1, "?routing=a");
    index.put(2);
    index.call("POST", "/_update/d2", "{\"doc\":{\"n\":22}}").orThrow();

    for (String preference : List.of("_primary", "_replica")) {
      assertThat(index.get("/_doc/d2?preference=" + preference).at("/_source/n").asInt())
          .isEqualTo(22);
      assertThat(index.get("/_doc/d1?routing=a&preference=" + preference).path("found").asBoolean())
          .isTrue();
      JsonNode several =
          cluster
              .rest()
              .call(
                  "POST",
                  "/_mget?preference=" + preference,
                  """
                  {"docs":[{"_index":"realtime","_id":"d2"},{"_index":"realtime","_id":"d9"},
                           {"_index":"nowhere","_id":"d1"}]}\
                  """)
              .orThrow()
              .json()
              .path("docs");
      assertThat(several.get(0).at("/_source/n").asInt()).isEqualTo(22);
      assertThat(several.get(1).path("found").asBoolean()).isFalse();
      assertThat(several.get(2).at("/error/type").asString())
          .isEqualTo("index_not_found_exception");
    }
    assertThat(index.count("_replica")).isZero();
  }
}
