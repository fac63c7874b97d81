package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * Writes, updates and deletes documents of a leader index while another cluster follows it.
 * Meanwhile the process that pulls from the leader is killed with SIGKILL, then the process with
 * the follower's primary. At the end both indices contain the same documents with the same seq_nos
 * and versions.
 */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class FollowedClusterTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int DOCUMENTS = 400;

  private record Held(long seqNo, long version, String source) {}

  @Test
  void theFollowerHoldsTheLeadersDocumentsSeqNosAndVersionsThoughItsProcessesAreKilled(
      ServicesInOneJvm leading, RunningCluster follower) throws Exception {
    RestCalls leader = leading.rest();
    leading.create("books", "{\"number_of_shards\":2,\"refresh_interval\":\"200ms\"}", "{}");
    SplittableRandom random = new SplittableRandom(5);
    write(leader, random, 300);
    follow(follower.rest(), "127.0.0.1:" + leading.port("coordinator"));
    write(leader, random, 300);
    follower.kill("ccr-follower-1");
    write(leader, random, 300);
    follower.kill("shard-service-1");
    write(leader, random, 300);
    leader.call("POST", "/books/_refresh", "").orThrow();
    SortedMap<String, Held> expected = documents(leader);
    assertThat(expected).isNotEmpty();
    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          follower.rest().call("POST", "/books/_refresh", "").orThrow();
          assertThat(documents(follower.rest())).isEqualTo(expected);
        });
    followerRefusesClients(follower);
    statsTellThatNothingIsOutstanding(follower);
    follower.awaitGreen();
  }

  private static void follow(RestCalls follower, String seed) throws IOException {
    follower
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.main.seeds\":[\"" + seed + "\"]}}")
        .orThrow();
    follower
        .call(
            "PUT", "/books/_ccr/follow", "{\"remote_cluster\":\"main\",\"leader_index\":\"books\"}")
        .orThrow();
  }

  /** Writes, overwrites and deletes documents in a small range of ids, some with new fields. */
  private static void write(RestCalls rest, SplittableRandom random, int operations)
      throws IOException {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < operations; i++) {
      String id = Integer.toString(random.nextInt(DOCUMENTS));
      if (random.nextInt(5) == 0) {
        body.append("{\"delete\":{\"_id\":\"").append(id).append("\"}}\n");
      } else {
        body.append("{\"index\":{\"_id\":\"")
            .append(id)
            .append("\"}}\n{\"title\":\"book ")
            .append(id);
        body.append("\",\"field")
            .append(random.nextInt(8))
            .append("\":")
            .append(random.nextInt(1000))
            .append("}\n");
      }
    }
    RestCalls.Answer answer =
        rest.call("POST", "/books/_bulk", "application/x-ndjson", body.toString().getBytes(UTF_8))
            .orThrow();
    assertThat(answer.json().path("errors").asBoolean()).isFalse();
  }

  private static SortedMap<String, Held> documents(RestCalls rest) throws IOException {
    JsonNode hits =
        rest.call(
                "POST",
                "/books/_search",
                "{\"size\":10000,\"version\":true,\"seq_no_primary_term\":true,\"query\":{\"match_all\":{}}}")
            .orThrow()
            .json()
            .path("hits")
            .path("hits");
    SortedMap<String, Held> documents = new TreeMap<>();
    for (JsonNode hit : hits) {
      documents.put(
          hit.path("_id").asString(),
          new Held(
              hit.path("_seq_no").asLong(),
              hit.path("_version").asLong(),
              hit.path("_source").toString()));
    }
    return documents;
  }

  private static void followerRefusesClients(RunningCluster follower) throws IOException {
    RestCalls.Answer refused =
        follower.rest().call("PUT", "/books/_doc/mine", "{\"title\":\"mine\"}");
    assertThat(refused.status()).isEqualTo(403);
  }

  private static void statsTellThatNothingIsOutstanding(RunningCluster follower) {
    Await.within(WITHIN)
        .untilAsserted(() -> {
          JsonNode indices =
              follower
                  .rest()
                  .get("/_ccr/stats")
                  .orThrow()
                  .json()
                  .path("follow_stats")
                  .path("indices");
          assertThat(indices).hasSize(1);
          for (JsonNode shard : indices.path(0).path("shards")) {
            assertThat(shard.path("follower_global_checkpoint").asLong())
                .isEqualTo(shard.path("leader_global_checkpoint").asLong())
                .isPositive();
          }
        });
  }
}
