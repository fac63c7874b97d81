package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * A cluster follows new indices of another one by a pattern, with one process per service on the
 * following side. The other cluster cannot follow these followers.
 */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class AutoFollowTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  @Test
  void newIndicesAreFollowedByThePatternAndThoseThatExistedAreNot(
      ServicesInOneJvm leading, RunningCluster follower) throws Exception {
    RestCalls leader = leading.rest();
    RestCalls own = follower.rest();
    leading.create("logs-old", "{\"number_of_replicas\":0}", "{}");
    remote(own, "main", "127.0.0.1:" + leading.port("coordinator"));
    own.call(
            "PUT",
            "/_ccr/auto_follow/logs",
            "{\"remote_cluster\":\"main\",\"leader_index_patterns\":[\"logs-*\"],"
                + "\"leader_index_exclusion_patterns\":[\"*-private\"],"
                + "\"follow_index_pattern\":\"{{leader_index}}-copy\","
                + "\"max_read_request_operation_count\":100}")
        .orThrow();

    leading.create("logs-new", "{\"number_of_replicas\":0}", "{}");
    leading.create("logs-private", "{\"number_of_replicas\":0}", "{}");
    leader.call("PUT", "/logs-new/_doc/1?refresh=true", "{\"title\":\"first\"}").orThrow();

    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> assertThat(titles(own, "logs-new-copy")).contains("first"));
    assertThat(own.get("/logs-old-copy").status()).isEqualTo(404);
    assertThat(own.get("/logs-private-copy").status()).isEqualTo(404);
    JsonNode info = own.get("/logs-new-copy/_ccr/info").orThrow().json();
    assertThat(info.at("/follower_indices/0/parameters/max_read_request_operation_count").asInt())
        .isEqualTo(100);
    JsonNode stats = own.get("/_ccr/stats").orThrow().json().path("auto_follow_stats");
    assertThat(stats.path("number_of_successful_follow_indices").asInt()).isEqualTo(1);
    assertThat(stats.path("recent_auto_follow_errors")).isEmpty();
    assertThat(stats.at("/auto_followed_clusters/0/cluster_name").asString()).isEqualTo("main");

    RestCalls.Answer loop = leaderFollows(leader, follower.hostAndPort());
    assertThat(loop.status()).isEqualTo(400);
    assertThat(loop.text()).contains("because it follows an index of this cluster");
    own.call("DELETE", "/_ccr/auto_follow/logs", "").orThrow();
    assertThat(own.get("/_ccr/auto_follow").orThrow().json().path("patterns")).isEmpty();
  }

  /** The third index is in the second cluster too, which follows itself through a remote. */
  @Test
  void aFollowerOfAFollowerHoldsTheDocumentsSeqNosAndVersionsOfTheFirstLeader(
      ServicesInOneJvm leading, RunningCluster follower) throws Exception {
    RestCalls leader = leading.rest();
    RestCalls own = follower.rest();
    leading.create("first", "{\"number_of_replicas\":0}", "{}");
    leader.call("PUT", "/first/_doc/1", "{\"title\":\"one\"}").orThrow();
    remote(own, "main", "127.0.0.1:" + leading.port("coordinator"));
    remote(own, "itself", follower.hostAndPort());

    follow(own, "second", "main", "first");
    follow(own, "third", "itself", "second");
    leader.call("PUT", "/first/_doc/1", "{\"title\":\"two\",\"pages\":7}").orThrow();
    leader.call("PUT", "/first/_doc/2", "{\"title\":\"three\"}").orThrow();
    leader.call("DELETE", "/first/_doc/2", "").orThrow();
    leader.call("PUT", "/first/_doc/3", "{\"title\":\"four\"}").orThrow();

    String expected = documents(leader, "first");
    assertThat(expected).contains("two", "four");
    for (String index : List.of("second", "third")) {
      Await.within(WITHIN)
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(() -> assertThat(documents(own, index)).isEqualTo(expected));
    }
    JsonNode loop =
        own.call(
                "PUT",
                "/fourth/_ccr/follow",
                "{\"remote_cluster\":\"itself\",\"leader_index\":\"third\"}")
            .json();
    assertThat(loop.at("/error/reason").asString())
        .contains("because it follows an index of this cluster");
  }

  private static void follow(RestCalls rest, String follower, String remote, String leader)
      throws IOException {
    JsonNode answer =
        rest.call(
                "PUT",
                "/" + follower + "/_ccr/follow?wait_for_active_shards=1",
                "{\"remote_cluster\":\""
                    + remote
                    + "\",\"leader_index\":\""
                    + leader
                    + "\",\"settings\":{\"index.number_of_replicas\":0}}")
            .orThrow()
            .json();
    assertThat(answer.path("follow_index_shards_acked").asBoolean()).isTrue();
    assertThat(answer.path("index_following_started").asBoolean()).isTrue();
  }

  private static String documents(RestCalls rest, String index) throws IOException {
    rest.call("POST", "/" + index + "/_refresh", "").orThrow();
    JsonNode hits =
        rest.get("/" + index + "/_search?version=true&seq_no_primary_term=true")
            .orThrow()
            .json()
            .at("/hits/hits");
    return hits.valueStream()
        .map(hit ->
            String.join(
                " ",
                hit.path("_id").asString(),
                "seq_no",
                hit.path("_seq_no").toString(),
                "version",
                hit.path("_version").toString(),
                hit.path("_source").toString()))
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static RestCalls.Answer leaderFollows(RestCalls leader, String seed) throws IOException {
    remote(leader, "copies", seed);
    return leader.call(
        "PUT",
        "/echo/_ccr/follow",
        "{\"remote_cluster\":\"copies\",\"leader_index\":\"logs-new-copy\"}");
  }

  private static void remote(RestCalls rest, String alias, String seed) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote." + alias + ".seeds\":[\"" + seed + "\"]}}")
        .orThrow();
  }

  private static String titles(RestCalls rest, String index) throws IOException {
    rest.call("POST", "/" + index + "/_refresh", "").orThrow();
    return rest.get("/" + index + "/_search").orThrow().json().at("/hits/hits").toString();
  }
}
