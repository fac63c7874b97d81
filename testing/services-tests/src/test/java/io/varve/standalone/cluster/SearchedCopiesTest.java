package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Tests which copies are searched while all nodes are up, and while a node leaves and returns. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class SearchedCopiesTest {

  private static final int DOCUMENTS = 60;
  private static final String COUNTING =
      "{\"size\":0,\"track_total_hits\":true,\"aggs\":{\"a\":{\"value_count\":{\"field\":\"n\"}}}}";

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex index(String name) throws Exception {
    TestIndex index = cluster.create(name, "{\"number_of_shards\":2,\"number_of_replicas\":1}");
    index.index(0, DOCUMENTS);
    index.refresh();
    index.awaitCount("_replica", DOCUMENTS);
    return index;
  }

  /** Returns the response if it is wrong; empty if it is correct. */
  private static String wrong(RestCalls.Answer answer) throws IOException {
    JsonNode json = answer.orThrow().json();
    boolean right =
        json.at("/_shards/failed").asInt() == 0
            && json.at("/hits/total/value").asInt() == DOCUMENTS
            && json.at("/aggregations/a/value").asInt() == DOCUMENTS;
    return right ? "" : json.toString();
  }

  @Test
  void noSearchIsLostOrAnsweredTwiceWhileANodeGoesAndComesBack() throws Exception {
    TestIndex index = index("kept-searched");
    String victim =
        index.copies("node").stream()
            .filter(row -> !row.path("prirep").asString("").equals("p"))
            .map(row -> row.path("node").asString())
            .findFirst()
            .orElseThrow();
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger searches = new AtomicInteger();
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        running.add(
            clients.submit(() -> {
              while (!over.get()) {
                String what = wrong(index.call("POST", "/_search", COUNTING));
                if (!what.isEmpty()) {
                  wrong.add(what);
                }
                searches.incrementAndGet();
              }
              return null;
            }));
      }
      try {
        awaitMore(searches, 50);
        assertThat(index.nodesOf("r")).contains(victim);
        // As long as it is a member, some searches are sent to it.
        cluster.stop(victim, () -> awaitMore(searches, 50));
        awaitNoActiveCopyOn(victim, index);
        awaitMore(searches, 200);
      } finally {
        cluster.start(victim);
      }
      index.awaitGreen();
      awaitMore(searches, 100);
      over.set(true);
      for (Future<?> client : running) {
        client.get();
      }
    }
    assertThat(wrong).isEmpty();
    // Searches do not wait for shadow requests, which may still be running.
    Awaitility.await().atMost(TestIndex.SOON).untilAsserted(() -> assertThat(underWay()).isZero());
  }

  /** The copies of a node that left stay assigned to it for a minute, but are not active. */
  private static void awaitNoActiveCopyOn(String node, TestIndex index) {
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(index.nodesOf("r")).doesNotContain(node));
  }

  private static void awaitMore(AtomicInteger searches, int more) {
    int before = searches.get();
    Awaitility.await().atMost(TestIndex.SOON).until(() -> searches.get() >= before + more);
  }

  private long underWay() throws IOException {
    long underWay = 0;
    JsonNode nodes =
        cluster.rest().get("/_nodes/stats/adaptive_selection").orThrow().json().path("nodes");
    for (JsonNode node : nodes) {
      for (JsonNode known : node.path("adaptive_selection")) {
        underWay += known.path("outgoing_searches").asLong(0);
      }
    }
    return underWay;
  }

  @Test
  void nodesTellHowManySearchAndHowManyMayWait() throws Exception {
    TestIndex index = index("told-searched");
    assertThat(wrong(index.call("POST", "/_search", COUNTING))).isEmpty();

    List<JsonNode> searched = new ArrayList<>();
    for (JsonNode row :
        cluster
            .rest()
            .get("/_cat/thread_pool/search?format=json&h=node_name,size,queue_size,completed")
            .orThrow()
            .json()) {
      if (row.path("completed").asLong() > 0
          && !row.path("node_name").asString().equals("coordinator")) {
        searched.add(row);
      }
    }

    assertThat(searched).isNotEmpty();
    assertThat(searched)
        .allSatisfy(row -> {
          assertThat(row.path("queue_size").asString()).isEqualTo("1000");
          assertThat(Integer.parseInt(row.path("size").asString())).isPositive();
        });
  }
}
