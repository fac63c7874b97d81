package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.Fork;
import io.varve.cluster.Replacement;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.PullerStats;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Shows followers: statistics, parameters, and where promoted ones left their leader. */
@Timeout(180)
class FollowStatsTest extends FollowWorld {
  @Test
  void theStatisticsOfAFollowerAreThoseOfItsOwnPullers() {
    follower("mine", 2);
    follower("others", 1);
    rest.cluster.index("plain", 1);
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30), puller("mine", 1, 7, 7), puller("others", 0, 9, 1));

    JsonNode own = json(rest.call("GET /mine/_ccr/stats"));

    assertThat(own.path("indices").size()).isEqualTo(1);
    assertThat(own.at("/indices/0/index").asString()).isEqualTo("mine");
    assertThat(own.at("/indices/0/total_global_checkpoint_lag").asLong()).isEqualTo(10);
    JsonNode shard = own.at("/indices/0/shards/0");
    assertThat(shard.path("remote_cluster").asString()).isEqualTo("east");
    assertThat(shard.path("leader_index").asString()).isEqualTo("books");
    assertThat(shard.path("follower_index").asString()).isEqualTo("mine");
    assertThat(shard.path("leader_global_checkpoint").asLong()).isEqualTo(40);
    assertThat(shard.path("follower_global_checkpoint").asLong()).isEqualTo(30);
    assertThat(shard.path("operations_read").asLong()).isEqualTo(11);
    assertThat(shard.path("operations_written").asLong()).isEqualTo(12);
    assertThat(shard.path("failed_write_requests").asLong()).isEqualTo(16);
    assertThat(shard.path("lag_millis").asLong()).isEqualTo(20);
    assertThat(shard.path("last_error").asString()).isEqualTo("late");
    JsonNode all = json(rest.call("GET /_ccr/stats"));
    assertThat(all.at("/follow_stats/indices").valueStream().map(i -> i.path("index").asString()))
        .containsExactly("mine", "others");
  }

  @Test
  void aShardWithoutAPullerStaysInTheStatistics() {
    follower("mine", 1);
    pullingNode("puller", "http://" + other.address());
    pullingNode("gone", "http://127.0.0.1:1");
    other.reports("<html>".getBytes(StandardCharsets.UTF_8));

    JsonNode own = json(rest.call("GET /mine/_ccr/stats"));

    assertThat(own.at("/indices/0/shards").size()).isEqualTo(1);
    assertThat(own.at("/indices/0/shards/0/state").asString()).isEqualTo("UNASSIGNED");
    assertThat(own.at("/indices/0/shards/0/follower_global_checkpoint").asLong()).isEqualTo(-1);
    assertThat(own.at("/indices/0/total_global_checkpoint_lag").asLong()).isZero();
  }

  @Test
  void eachShardHasTheFieldsOfElasticsearch() {
    Replacement twice = new Replacement(null, null, 2);
    follower(
        "mine",
        1,
        new FollowRelation("east", "books", "uuid", "puller", 1, null, false, null, twice, null));
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30));

    JsonNode all = json(rest.call("GET /_ccr/stats"));

    assertThat(all.at("/auto_follow_stats/recent_auto_follow_errors").isArray()).isTrue();
    assertThat(all.at("/follow_stats/indices/0/shards/0").propertyNames())
        .contains(
            "remote_cluster",
            "leader_index",
            "follower_index",
            "shard_id",
            "leader_global_checkpoint",
            "leader_max_seq_no",
            "follower_global_checkpoint",
            "follower_max_seq_no",
            "last_requested_seq_no",
            "outstanding_read_requests",
            "outstanding_write_requests",
            "write_buffer_operation_count",
            "write_buffer_size_in_bytes",
            "follower_mapping_version",
            "follower_settings_version",
            "follower_aliases_version",
            "total_read_time_millis",
            "total_read_remote_exec_time_millis",
            "successful_read_requests",
            "failed_read_requests",
            "operations_read",
            "bytes_read",
            "total_write_time_millis",
            "successful_write_requests",
            "failed_write_requests",
            "operations_written",
            "read_exceptions",
            "time_since_last_read_millis")
        .doesNotContain("fatal_exception");
    Map<String, Integer> reported =
        Map.ofEntries(
            Map.entry("outstanding_read_requests", 31),
            Map.entry("outstanding_write_requests", 32),
            Map.entry("write_buffer_operation_count", 33),
            Map.entry("write_buffer_size_in_bytes", 34),
            Map.entry("total_read_time_millis", 35),
            Map.entry("total_write_time_millis", 36),
            Map.entry("failed_read_requests", 37),
            Map.entry("lag_bytes", 39),
            Map.entry("duplicates_skipped", 40),
            Map.entry("gaps_detected", 41),
            Map.entry("rebootstraps_total", 2),
            Map.entry("lag_operations", 10));
    reported.forEach((field, value) ->
        assertThat(all.at("/follow_stats/indices/0/shards/0").path(field).asInt(-1))
            .as(field)
            .isEqualTo(value));
    assertThat(all.at("/follow_stats/indices/0/shards/0/read_exceptions/0/retries").asInt())
        .isEqualTo(38);
    assertThat(all.at("/follow_stats/indices/0/shards/0/read_exceptions/0/exception/reason"))
        .hasToString("\"late\"");
  }

  @Test
  void infoShowsTheParametersOfFollowersThatAreNotPaused() {
    follower("mine", 1);
    follower("still", 1, paused());
    rest.cluster.index("plain", 1);

    JsonNode info = json(rest.call("GET /_all/_ccr/info")).path("follower_indices");

    assertThat(info.size()).isEqualTo(2);
    assertThat(info.at("/0/follower_index").asString()).isEqualTo("mine");
    assertThat(info.at("/0/remote_cluster").asString()).isEqualTo("east");
    assertThat(info.at("/0/leader_index").asString()).isEqualTo("books");
    assertThat(info.at("/0/status").asString()).isEqualTo("active");
    assertThat(info.at("/0/parameters/max_read_request_size").asString()).isEqualTo("32mb");
    assertThat(info.at("/0/parameters").size()).isEqualTo(10);
    assertThat(info.at("/1/status").asString()).isEqualTo("paused");
    assertThat(info.at("/1").has("parameters")).isFalse();
  }

  @Test
  void aPausedFollowerHasNoStatistics() {
    follower("mine", 1, paused());

    assertThat(json(rest.call("GET /_ccr/stats")).at("/follow_stats/indices").size()).isZero();
    assertThat(rest.call("GET /mine/_ccr/stats").getStatus()).isEqualTo(404);
    assertThat(json(rest.call("GET /mine/_ccr/stats")).at("/error/reason").asString())
        .isEqualTo("No shard follow tasks for follower indices [mine]");
    assertThat(json(rest.call("GET /mi*/_ccr/stats")).path("indices").size()).isZero();
  }

  @Test
  void closedAndHiddenFollowersHaveStatistics() {
    follower("mine", 1);
    rest.cluster.change(state ->
        state
            .apply(
                new ClusterEvent.IndexSettingsChanged(
                    "mine-uuid", 2, Map.of("index.hidden", "true")))
            .apply(new ClusterEvent.IndexClosed("mine-uuid")));

    assertThat(json(rest.call("GET /mine/_ccr/stats")).path("indices").size()).isEqualTo(1);
    assertThat(json(rest.call("GET /_ccr/stats")).at("/follow_stats/indices").size()).isEqualTo(1);
  }

  @Test
  void aDeletedLeaderIndexIsAFatalException() {
    follower("mine", 1);
    pullingNode("puller", "http://" + other.address());
    PullerStats active = puller("mine", 0, 40, 30);
    other.reports(
        new PullerStats(
            active.indexUuid(),
            0,
            "DELETED",
            40,
            40,
            30,
            30,
            40,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            "no such index [books]",
            active.activity(),
            null));

    JsonNode shard = json(rest.call("GET /mine/_ccr/stats")).at("/indices/0/shards/0");

    assertThat(shard.at("/fatal_exception/type").asString()).isEqualTo("index_not_found_exception");
    assertThat(shard.at("/fatal_exception/reason").asString()).isEqualTo("no such index [books]");
  }

  @Test
  void infoShowsWhereAPromotedIndexLeftItsLeader() {
    rest.cluster.index("plain", 1);
    assertThat(json(rest.call("GET /plain/_ccr/info")).has("promoted_indices")).isFalse();
    Fork fork = new Fork("east", "books", "leader-uuid", Map.of());
    rest.cluster.change(state ->
        state
            .apply(new ClusterEvent.FollowChanged("plain-uuid", null, fork))
            .apply(
                new ClusterEvent.ShardForked(
                    new ShardId("plain-uuid", 0), new ForkPlace(900, 4, 299, 77L, 310, 5))));

    assertThat(json(rest.call("GET /plain/_ccr/info")))
        .hasToString(
            "{\"follower_indices\":[],\"promoted_indices\":[{\"index\":\"plain\","
                + "\"remote_cluster\":\"east\",\"leader_index\":\"books\","
                + "\"leader_index_uuid\":\"leader-uuid\",\"shards\":[{\"shard\":0,"
                + "\"leader_offset\":900,\"leader_primary_term\":4,\"seq_no\":299,"
                + "\"leader_digest\":77,\"offset\":310,\"primary_term\":5}]}]}");
  }

  @Test
  void aFollowerThatWasStoppedIsShownWithTheReasonAndAPausedOneIsNot() {
    FollowRelation follow = new FollowRelation("east", "books", "uuid", "puller", 1);
    follower("mine", 1, follow.asStopped("an unknown event"));
    follower("paused", 1, follow.asPaused());

    JsonNode all = json(rest.call("GET /_ccr/stats"));

    assertThat(all.at("/follow_stats/indices").size()).isEqualTo(1);
    JsonNode shard = all.at("/follow_stats/indices/0/shards/0");
    assertThat(shard.path("state").asString()).isEqualTo("STOPPED");
    assertThat(shard.at("/fatal_exception/reason").asString()).isEqualTo("an unknown event");
    assertThat(
            json(rest.call("GET /mine/_ccr/info")).at("/follower_indices/0/stop_reason").asString())
        .isEqualTo("an unknown event");
    assertThat(json(rest.call("GET /_plugins/_replication/mine/_status")).path("reason").asString())
        .isEqualTo("AutoPaused: an unknown event");
  }

  @Test
  void theIndexThatCopiesTheLeaderAgainIsShownWithItsState() {
    FollowRelation follow = new FollowRelation("east", "books", "uuid", "puller", 1);
    follower("mine", 1, follow);
    follower(".rebootstrap-mine", 1, Replacement.begin("mine-uuid", follow, "uuid"));
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30), puller(".rebootstrap-mine", 0, 40, -1));

    JsonNode shown = json(rest.call("GET /mine/_ccr/stats")).at("/indices/0/shards/0/replacement");

    assertThat(shown.path("index").asString()).isEqualTo(".rebootstrap-mine");
    assertThat(shown.path("state").asString()).isEqualTo("PULLING");
    assertThat(shown.path("last_error").asString()).isEqualTo("late");
  }

  @Test
  void theRefusedOperationAndTheNumberOfSkippedOnesAreShown() {
    FollowRelation follow = new FollowRelation("east", "books", "uuid", "puller", 1);
    follower(
        "mine",
        1,
        follow.withStatus(
            new FollowStatus(
                4, List.of(), Map.of(0, new FollowStatus.SkippedOperations(9, 8, 3)), null)));
    pullingNode("puller", "http://" + other.address());
    other.reports(refusing(puller("mine", 0, 40, 30), 42, 31));

    JsonNode shard = json(rest.call("GET /mine/_ccr/stats")).at("/indices/0/shards/0");

    assertThat(shard.at("/refused_operation/leader_offset").asLong()).isEqualTo(42);
    assertThat(shard.at("/refused_operation/seq_no").asLong()).isEqualTo(31);
    assertThat(shard.path("operations_skipped").asLong()).isEqualTo(3);
    assertThat(shard.path("leader_mapping_version").asLong()).isEqualTo(4);
  }
}
