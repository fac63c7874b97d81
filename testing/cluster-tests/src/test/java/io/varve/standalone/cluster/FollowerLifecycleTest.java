package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * An index with settings of its own is followed by another cluster, whose users cannot change it.
 * Following is paused, resumed and ended; after that the former follower is a regular index, and
 * the leader keeps no operations for it.
 */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class FollowerLifecycleTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private static final String SETTINGS =
      "{\"number_of_shards\":2,\"refresh_interval\":\"200ms\",\"mapping.ignore_malformed\":true,"
          + "\"analysis\":{\"analyzer\":{\"whole\":{\"type\":\"custom\",\"tokenizer\":\"keyword\","
          + "\"filter\":[\"lowercase\"]}}}}";
  private static final String MAPPING =
      "{\"properties\":{\"title\":{\"type\":\"text\",\"analyzer\":\"whole\"},"
          + "\"year\":{\"type\":\"integer\"}}}";

  private RestCalls leader;
  private RestCalls follower;

  @Test
  void aFollowerIsProtectedPausedResumedAndBecomesARegularIndex(
      ServicesInOneJvm leading, RunningCluster following) throws Exception {
    leader = leading.rest();
    follower = following.rest();
    leading.create("ledger", SETTINGS, MAPPING);
    write(leader, "ledger", 0, 20);
    follow("127.0.0.1:" + leading.port("coordinator"));
    awaitCount(20);
    await(() -> assertThat(count("title", "New York")).isEqualTo(20));
    await(() -> assertThat(leases()).isPositive());
    await(() -> assertThat(recordedLeases()).isEqualTo(1));
    refusesUsers();
    takesOverChangesOfMetadata();
    takesOverANewAnalyzer();

    post("pause_follow");
    await(() -> assertThat(info().path("status").asString()).isEqualTo("paused"));
    write(leader, "ledger", 20, 40);
    resume();
    awaitCount(40);
    await(() ->
        assertThat(info().at("/parameters/max_outstanding_read_requests").asInt()).isEqualTo(3));

    post("pause_follow");
    write(leader, "ledger", 40, 50);
    assertThat(unfollow().status()).isEqualTo(400);
    follower.call("POST", "/copy/_close", "").orThrow();
    unfollow().orThrow();
    follower.call("POST", "/copy/_open", "").orThrow();
    await(() -> assertThat(leases()).isZero());
    await(() -> assertThat(recordedLeases()).isZero());
    await(() -> assertThat(promoted().path("shards").size()).isEqualTo(2));
    write(follower, "copy", 100, 110);
    awaitCount(50);
    follower
        .call("PUT", "/copy/_mapping", "{\"properties\":{\"more\":{\"type\":\"long\"}}}")
        .orThrow();
  }

  private static void await(ThrowingRunnable assertion) {
    Await.within(WITHIN).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
  }

  private void follow(String seed) throws IOException {
    follower
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.main.seeds\":[\"" + seed + "\"]}}")
        .orThrow();
    JsonNode answer =
        follower
            .call(
                "PUT",
                "/copy/_ccr/follow?wait_for_active_shards=1&timeout=2m",
                "{\"remote_cluster\":\"main\",\"leader_index\":\"ledger\"}")
            .orThrow()
            .json();
    assertThat(answer.path("follow_index_shards_acked").asBoolean()).isTrue();
    assertThat(answer.path("index_following_started").asBoolean()).isTrue();
  }

  private void refusesUsers() throws IOException {
    assertThat(follower.call("PUT", "/copy/_doc/1", "{\"title\":\"mine\"}").status())
        .isEqualTo(403);
    assertThat(
            follower
                .call("PUT", "/copy/_mapping", "{\"properties\":{\"x\":{\"type\":\"long\"}}}")
                .status())
        .isEqualTo(403);
    assertThat(follower.call("PUT", "/copy/_alias/mine", "").status()).isEqualTo(403);
    assertThat(
            follower
                .call("PUT", "/copy/_settings", "{\"index.mapping.total_fields.limit\":5}")
                .status())
        .isEqualTo(403);
    follower.call("PUT", "/copy/_settings", "{\"index.max_result_window\":20000}").orThrow();
  }

  /** None of them comes with an operation. */
  private void takesOverChangesOfMetadata() throws IOException {
    leader.call("PUT", "/ledger/_settings", "{\"index.max_ngram_diff\":4}").orThrow();
    leader
        .call("PUT", "/ledger/_mapping", "{\"properties\":{\"pages\":{\"type\":\"short\"}}}")
        .orThrow();
    leader.call("PUT", "/ledger/_alias/shelf", "{\"is_write_index\":true}").orThrow();
    await(() -> {
      JsonNode copy = follower.get("/copy?flat_settings").orThrow().json().path("copy");
      assertThat(copy.path("settings").path("index.max_ngram_diff").asString()).isEqualTo("4");
      assertThat(copy.at("/mappings/properties/pages/type").asString()).isEqualTo("short");
      assertThat(copy.path("aliases")).hasToString("{\"shelf\":{}}");
    });
  }

  /** A setting that can be changed only while the leader index is closed. */
  private void takesOverANewAnalyzer() throws IOException {
    leader.call("POST", "/ledger/_close", "").orThrow();
    leader
        .call(
            "PUT",
            "/ledger/_settings",
            "{\"analysis\":{\"analyzer\":{\"words\":{\"type\":\"custom\","
                + "\"tokenizer\":\"whitespace\"}}}}")
        .orThrow();
    leader.call("POST", "/ledger/_open", "").orThrow();
    leader
        .call(
            "PUT",
            "/ledger/_mapping",
            "{\"properties\":{\"place\":{\"type\":\"text\",\"analyzer\":\"words\"}}}")
        .orThrow();
    leader.call("PUT", "/ledger/_doc/0", "{\"place\":\"New York\"}").orThrow();
    await(() -> {
      follower.call("POST", "/copy/_refresh", "").orThrow();
      assertThat(count("place", "York")).isEqualTo(1);
    });
  }

  /** Some years are malformed; the index ignores them. */
  private static void write(RestCalls rest, String index, int from, int to) throws IOException {
    for (int id = from; id < to; id++) {
      String year = id % 3 == 0 ? "\"unknown\"" : Integer.toString(1900 + id);
      rest.call(
              "PUT", "/" + index + "/_doc/" + id, "{\"title\":\"New York\",\"year\":" + year + "}")
          .orThrow();
    }
  }

  private void awaitCount(int documents) {
    await(() -> {
      follower.call("POST", "/copy/_refresh", "").orThrow();
      assertThat(follower.get("/copy/_count").orThrow().json().path("count").asInt())
          .isEqualTo(documents);
    });
  }

  private int count(String field, String text) throws IOException {
    return follower
        .call(
            "POST", "/copy/_count", "{\"query\":{\"match\":{\"" + field + "\":\"" + text + "\"}}}")
        .orThrow()
        .json()
        .path("count")
        .asInt();
  }

  private void post(String action) throws IOException {
    follower.call("POST", "/copy/_ccr/" + action, "").orThrow();
  }

  private void resume() throws IOException {
    follower
        .call("POST", "/copy/_ccr/resume_follow", "{\"max_outstanding_read_requests\":3}")
        .orThrow();
  }

  private RestCalls.Answer unfollow() throws IOException {
    return follower.call("POST", "/copy/_ccr/unfollow", "");
  }

  private JsonNode info() throws IOException {
    return follower.get("/copy/_ccr/info").orThrow().json().at("/follower_indices/0");
  }

  private JsonNode promoted() throws IOException {
    return follower.get("/copy/_ccr/info").orThrow().json().at("/promoted_indices/0");
  }

  /** The leases of followers on all shards of the leader index. */
  private int leases() throws IOException {
    int leases = 0;
    JsonNode shards =
        leader.get("/ledger/_stats?level=shards").orThrow().json().at("/indices/ledger/shards");
    for (JsonNode copies : shards) {
      for (JsonNode copy : copies) {
        leases += copy.at("/retention_leases/leases").size();
      }
    }
    return leases;
  }

  /** The active leases of followers in the leader's cluster state. */
  private int recordedLeases() throws IOException {
    int active = 0;
    for (JsonNode lease :
        leader.get("/_internal/cluster/state").orThrow().json().at("/indices/ledger/leases")) {
      active += lease.path("ended").isMissingNode() ? 1 : 0;
    }
    return active;
  }
}
