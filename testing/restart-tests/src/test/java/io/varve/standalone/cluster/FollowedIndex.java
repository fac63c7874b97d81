package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An index of one shard, and the index of the same name in another cluster that follows it. */
final class FollowedIndex {

  private static final Duration WITHIN = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String REMOTE = "other";

  private final RestCalls leaders;
  private final RestCalls followers;
  private final TestIndex leader;
  private final TestIndex follower;

  FollowedIndex(RestCalls leaders, RestCalls followers, String name) {
    this.leaders = leaders;
    this.followers = followers;
    this.leader = new TestIndex(leaders, name);
    this.follower = new TestIndex(followers, name);
  }

  /** Names the other cluster, by the address of one of its coordinators. */
  static void remote(RestCalls rest, String seed) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.%s.seeds\":[\"%s\"]}}".formatted(REMOTE, seed))
        .orThrow();
  }

  /** Follows all indices of the other cluster with this prefix that are created later. */
  static void autoFollow(RestCalls rest, String prefix) throws IOException {
    rest.call(
            "PUT",
            "/_ccr/auto_follow/" + prefix,
            "{\"remote_cluster\":\"%s\",\"leader_index_patterns\":[\"%s-*\"]}"
                .formatted(REMOTE, prefix))
        .orThrow();
  }

  TestIndex leader() {
    return leader;
  }

  TestIndex follower() {
    return follower;
  }

  /** Creates the leader with a replica, and these settings as well. */
  FollowedIndex create(String settings) throws IOException {
    leader
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms"%s},
             "mappings":{"properties":{"n":{"type":"integer"}}}}\
            """
                .formatted(settings))
        .orThrow();
    leader.awaitGreen();
    return this;
  }

  void follow() throws IOException {
    follower
        .call(
            "PUT",
            "/_ccr/follow?wait_for_active_shards=1",
            "{\"remote_cluster\":\"%s\",\"leader_index\":\"%s\"}".formatted(REMOTE, leader.name()))
        .orThrow();
  }

  void pauseAndResume() throws IOException {
    follower.call("POST", "/_ccr/pause_follow", "").orThrow();
    leader.index(0, 10);
    follower.call("POST", "/_ccr/resume_follow", "{}").orThrow();
  }

  /** Makes the follower a regular index; returns when the forks of its shards are recorded. */
  void promote() throws IOException {
    follower.call("POST", "/_ccr/pause_follow", "").orThrow();
    follower.call("POST", "/_close", "").orThrow();
    follower.call("POST", "/_ccr/unfollow", "").orThrow();
    follower.call("POST", "/_open", "").orThrow();
    Await.within(WITHIN)
        .pollInterval(PAUSE)
        .untilAsserted(() ->
            assertThat(follower.get("/_ccr/info").at("/promoted_indices/0/shards")).hasSize(1));
  }

  /** Replaces the former leader by an index that follows the promoted one. */
  FollowedIndex failBack() throws IOException {
    leader.call("POST", "/_close", "").orThrow();
    leader
        .call(
            "POST",
            "/_ccr/failback",
            "{\"remote_cluster\":\"%s\",\"leader_index\":\"%s\"}"
                .formatted(REMOTE, follower.name()))
        .orThrow();
    return new FollowedIndex(/* leaders= */ followers, /* followers= */ leaders, follower.name());
  }

  /** Waits until the follower exists and all copies have what the leader has. */
  void awaitSame() {
    Await.within(WITHIN)
        .pollInterval(PAUSE)
        .untilAsserted(() -> assertThat(refreshed(follower)).isEqualTo(refreshed(leader)));
    follower.awaitGreen();
    Await.within(WITHIN)
        .pollInterval(PAUSE)
        .untilAsserted(() -> {
          Map<String, String> onPrimary = refreshed(leader);
          assertThat(onPrimary).isNotEmpty();
          assertThat(follower.contents("_replica")).isEqualTo(onPrimary);
        });
  }

  private static Map<String, String> refreshed(TestIndex index) throws Exception {
    index.refresh();
    return index.contents("_primary");
  }

  /** Waits until the follower has this many documents. */
  void awaitCount(int count) {
    Await.within(WITHIN)
        .pollInterval(PAUSE)
        .untilAsserted(() -> assertThat(follower.count("_primary")).isGreaterThanOrEqualTo(count));
  }

  /** Adds a field and an alias to the leader; returns when the follower has both. */
  void changeMetadata(String added) throws IOException {
    leader
        .call(
            "PUT",
            "/_mapping",
            "{\"properties\":{\"%s\":{\"type\":\"keyword\",\"ignore_above\":7}}}".formatted(added))
        .orThrow();
    leader.call("PUT", "/_alias/alias-" + added, "").orThrow();
    leader.call("PUT", "/_doc/" + added, "{\"%s\":\"new\"}".formatted(added)).orThrow();
    Await.within(WITHIN)
        .pollInterval(PAUSE)
        .untilAsserted(() -> {
          assertThat(field(added)).isEqualTo(Map.of("type", "keyword", "ignore_above", "7"));
          assertThat(follower.get("/_alias").at("/" + follower.name() + "/aliases").propertyNames())
              .contains("alias-" + added);
        });
  }

  private Map<String, String> field(String name) throws IOException {
    JsonNode field =
        follower.get("/_mapping").at("/" + follower.name() + "/mappings/properties/" + name);
    Map<String, String> parameters = new HashMap<>();
    field.properties().forEach(p -> parameters.put(p.getKey(), p.getValue().asString()));
    return parameters;
  }

  /** Checks that no shard of any follower in that cluster has stopped. */
  static void assertAllFollow(RestCalls rest, String when) throws IOException {
    JsonNode indices =
        rest.get("/_ccr/stats").orThrow().json().path("follow_stats").path("indices");
    assertThat(indices).as(when).isNotEmpty();
    for (JsonNode index : indices) {
      for (JsonNode shard : index.path("shards")) {
        assertThat(shard.path("fatal_exception").isMissingNode())
            .as("%s: %s", when, shard)
            .isTrue();
      }
    }
  }
}
