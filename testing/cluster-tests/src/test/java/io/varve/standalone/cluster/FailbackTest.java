package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * A follower is promoted while its leader still has operations that it never pulled. The former
 * leader then fails back: it keeps its history up to the fork, pulls the new leader's operations,
 * and its own later ones are in quarantine.
 */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class FailbackTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int SHARDS = 2;
  private static final String SETTINGS =
      "{\"number_of_shards\":"
          + SHARDS
          + ",\"number_of_replicas\":0,\"refresh_interval\":\"200ms\","
          + "\"remote_store.enabled\":false}";

  private RestCalls former;
  private RestCalls promoted;

  @Test
  void theFormerLeaderKeepsItsHistoryPullsTheDifferenceAndQuarantinesItsOwnLaterOperations(
      ServicesInOneJvm leading, RunningCluster following) throws Exception {
    former = leading.rest();
    promoted = following.rest();
    leading.start(ServicesInOneJvm.PULLER);
    try {
      failsBack(leading, following);
    } finally {
      leading.stop(ServicesInOneJvm.PULLER);
    }
  }

  private void failsBack(ServicesInOneJvm leading, RunningCluster following) throws Exception {
    TestIndex index = leading.create("orders", SETTINGS);
    index.index(0, 300);
    index.delete(0, 10);
    remote(promoted, "main", "127.0.0.1:" + leading.port("coordinator"));
    promoted
        .call(
            "PUT",
            "/orders/_ccr/follow",
            "{\"remote_cluster\":\"main\",\"leader_index\":\"orders\",\"settings\":"
                + "{\"index.number_of_replicas\":0}}")
        .orThrow();
    awaitSame();

    promoted.call("POST", "/orders/_ccr/pause_follow", "").orThrow();
    index.index(250, 320);
    int followed = promote();
    index.index(310, 330);
    int written = 300 + 10 + 70 + 20;
    TestIndex successor = new TestIndex(promoted, "orders");
    successor.index(1_000, 1_040);
    successor.delete(20, 25);
    String formerUuid = index.uuid();

    former.call("POST", "/orders/_close", "").orThrow();
    remote(former, "west", following.url("coordinator-1").substring("http://".length()));
    JsonNode begun =
        former
            .call(
                "POST",
                "/orders/_ccr/failback",
                "{\"remote_cluster\":\"west\",\"leader_index\":\"orders\"}")
            .orThrow()
            .json();
    assertThat(begun.at("/shards").valueStream().map(s -> s.path("begins_with").asString()))
        .containsExactly("own_log", "own_log");

    awaitSame();
    assertThat(new TestIndex(former, "orders").uuid()).isNotEqualTo(formerUuid);
    JsonNode info = former.get("/orders/_ccr/info").orThrow().json();
    assertThat(
            info.at("/follower_indices/0/failback/shards")
                .valueStream()
                .mapToInt(shard -> shard.path("quarantined_operations").asInt())
                .sum())
        .isEqualTo(written - followed);
    successor.index(1_040, 1_050);
    awaitSame();
  }

  /**
   * Returns the number of operations before the fork: the puller may copy some operations more
   * until it reads that it is paused.
   */
  private int promote() throws IOException {
    promoted.call("POST", "/_plugins/_replication/orders/_stop", "{}").orThrow();
    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() ->
            assertThat(
                    promoted
                        .get("/orders/_ccr/info")
                        .orThrow()
                        .json()
                        .at("/promoted_indices/0/shards")
                        .size())
                .isEqualTo(SHARDS));
    return promoted
        .get("/orders/_ccr/info")
        .orThrow()
        .json()
        .at("/promoted_indices/0/shards")
        .valueStream()
        .mapToInt(shard -> shard.path("seq_no").asInt() + 1)
        .sum();
  }

  private static void remote(RestCalls rest, String alias, String seed) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote." + alias + ".seeds\":[\"" + seed + "\"]}}")
        .orThrow();
  }

  private void awaitSame() {
    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          former.call("POST", "/orders/_refresh", "").orThrow();
          promoted.call("POST", "/orders/_refresh", "").orThrow();
          assertThat(contents(former)).isEqualTo(contents(promoted));
        });
  }

  private static Map<Integer, SortedMap<String, String>> contents(RestCalls rest) throws Exception {
    Map<Integer, SortedMap<String, String>> shards = new TreeMap<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.put(shard, CopyContents.read(rest, "orders", shard, "_primary"));
    }
    return shards;
  }
}
