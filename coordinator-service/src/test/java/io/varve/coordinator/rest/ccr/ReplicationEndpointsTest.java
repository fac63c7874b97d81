package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Tests {@code _plugins/_replication} and {@code _license} with another cluster and a puller. */
@Timeout(180)
class ReplicationEndpointsTest {

  private static final String BASE = "/_plugins/_replication/";
  private static final String BOOKS = "{\"leader_alias\":\"east\",\"leader_index\":\"books\"";

  private RestHarness rest;
  private RemoteCoordinator other;

  @BeforeEach
  void start() throws IOException {
    other = new RemoteCoordinator();
    other.answers(
        "/_internal/cluster/export/books",
        Json.write(
            new RemoteCluster.Export(
                "there", "c", "kafka:9092", index("books", null), "ops", "id", null)));
    other.answers(
        "/_internal/cluster/export",
        Json.write(
            new RemoteCluster.Description("there", "c", "kafka:9092", Map.of("logs-1", "u1"))));
    other.answers(
        "/books/_ccr/forget_follower", "{\"_shards\":{}}".getBytes(StandardCharsets.UTF_8));
    rest = new RestHarness();
    rest.cluster.setting("cluster.remote.east.seeds", other.address());
    rest.cluster.change(state -> {
      Map<String, NodeInfo> nodes = new TreeMap<>(state.nodes());
      nodes.put(
          "puller",
          new NodeInfo("puller", "puller", "i", Set.of(NodeInfo.CCR), "http://" + other.address()));
      return FakeCluster.copy(state, nodes, state.indices());
    });
  }

  @AfterEach
  void close() {
    rest.close();
    other.close();
  }

  private static IndexMetadata index(String name, FollowRelation follow) {
    return new IndexMetadata(
        name,
        name + "-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        follow,
        List.of(
            new ShardRouting(
                new ShardId(name + "-uuid", 0),
                0,
                List.of(
                    new CopyRouting(
                        "c", true, CopyRouting.State.STARTED, FakeCluster.PRIMARY_NODE, "")))));
  }

  private void follower(String name, boolean paused) {
    FollowRelation follow =
        new FollowRelation(
            "east", "books", "books-uuid", paused ? null : "puller", 1, null, paused);
    rest.cluster.change(state -> state.apply(new ClusterEvent.IndexCreated(index(name, follow))));
  }

  private static PullerStats puller(String index, String state, long leader, long follower) {
    return new PullerStats(
        index + "-uuid",
        0,
        state,
        leader,
        leader,
        follower,
        follower,
        leader,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        "why",
        new PullerStats.Activity(0, 0, 0, 0, 0, 36, 37, 0, 0, 0, 0),
        null);
  }

  @Test
  void startingCreatesAFollower() {
    MockHttpServletResponse response =
        rest.call(
            "PUT " + BASE + "mine/_start",
            BOOKS + ",\"settings\":{\"index.number_of_replicas\":0}}");

    assertThat(json(response).path("acknowledged").asBoolean()).isTrue();
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.CreateIndex(
                "mine",
                Map.of("index.number_of_shards", "1", "index.number_of_replicas", "0"),
                "{}",
                new ClusterCommand.Follow(
                    "east",
                    "books",
                    "books-uuid",
                    null,
                    List.of(new FollowOrigin("c", "books-uuid")))));
  }

  @Test
  void stoppingMakesAFollowerARegularOpenIndex() {
    follower("mine", false);

    assertThat(rest.call("POST " + BASE + "mine/_stop", "{}").getStatus()).isEqualTo(200);

    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.Promote("mine"));
  }

  @Test
  void aFollowerOfALostClusterIsStopped() {
    follower("mine", true);
    other.close();

    MockHttpServletResponse response = rest.call("POST " + BASE + "mine/_stop");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.Promote("mine"));
  }

  @Test
  void aFollowerIsPausedResumedAndGetsSettingsOfItsOwn() {
    follower("mine", true);

    rest.call("POST " + BASE + "mine/_pause", "{}");
    rest.call("POST " + BASE + "mine/_resume", "{}");
    rest.call("PUT " + BASE + "mine/_update", "{\"settings\":{\"index.number_of_replicas\":2}}");

    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.PauseFollow("mine"),
            new ClusterCommand.ResumeFollow("mine", null),
            new ClusterCommand.UpdateIndexSettings(
                List.of("mine"), Map.of("index.number_of_replicas", "2"), false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | mine/_start | {'leader_alias':'east'} | 400 | action_request_validation_exception",
        "PUT | mine/_start | {'leader_alias':7,'leader_index':'books'} | 400 |"
            + " illegal_argument_exception",
        "PUT | mine/_start | {'leader_alias':'west','leader_index':'books'} | 404 |"
            + " no_such_remote_cluster_exception",
        "PUT | mine/_start | {'leader_alias':'east','leader_index':'books','use_roles':{}} | 400 |"
            + " illegal_argument_exception",
        "PUT | mine/_start | {'leader_alias':'east','leader_index':'books','more':1} | 400 |"
            + " illegal_argument_exception",
        "POST | plain/_stop | {} | 400 | illegal_argument_exception",
        "POST | plain/_pause | {} | 400 | illegal_argument_exception",
        "POST | plain/_resume | {} | 400 | illegal_argument_exception",
        "POST | none/_stop | {} | 404 | index_not_found_exception",
        "POST | plain/_resume | {'force_resume':true} | 400 | illegal_argument_exception",
        "PUT | plain/_update | {'settings':{'index.number_of_replicas':0}} | 400 |"
            + " illegal_argument_exception",
        "PUT | plain/_update | {'settings':{'index.mapping.coerce':false}} | 400 |"
            + " illegal_argument_exception",
        "POST | _autofollow | {'leader_alias':'east','name':'a'} | 400 |"
            + " action_request_validation_exception",
        "POST | _autofollow | {'leader_alias':'east','name':'_a','pattern':'a*'} | 400 |"
            + " action_request_validation_exception",
        "POST | _autofollow |"
            + " {'leader_alias':'east','name':'a','pattern':'a*','follower_index_pattern':'x'} |"
            + " 400 | illegal_argument_exception",
        "GET | none/_status | {} | 404 | index_not_found_exception"
      })
  void aRequestThatCannotBeCarriedOutIsRefused(
      String method, String path, String body, int status, String type) {
    rest.cluster.index("plain", 1);
    MockHttpServletResponse response =
        method.equals("GET")
            ? rest.call("GET " + BASE + path)
            : rest.call(method + " " + BASE + path, body.replace('\'', '"'));

    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asString()).isEqualTo(type);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"PULLING,SYNCING,''", "LOST,FAILED,why", "REFUSED,FAILED,why"})
  void theStatusIsThatOfThePullers(String state, String status, String reason) {
    follower("mine", false);
    other.reports(puller("mine", state, 40, 30));

    JsonNode shown = json(rest.call("GET " + BASE + "mine/_status?verbose=true"));

    assertThat(shown.path("status").asString()).isEqualTo(status);
    assertThat(shown.path("reason").asString()).isEqualTo(reason);
    assertThat(shown.path("leader_alias").asString()).isEqualTo("east");
    assertThat(shown.path("leader_index").asString()).isEqualTo("books");
    assertThat(shown.path("follower_index").asString()).isEqualTo("mine");
    assertThat(shown.at("/syncing_details/leader_checkpoint").asLong()).isEqualTo(40);
    assertThat(shown.at("/syncing_details/follower_checkpoint").asLong()).isEqualTo(30);
    assertThat(shown.at("/syncing_details/seq_no").asLong()).isEqualTo(40);
    assertThat(shown.at("/shard_replication_details/0/shard_id").asInt(-1)).isZero();
  }

  @Test
  void theStatusTellsWhenNothingIsPulled() {
    follower("mine", false);
    follower("still", true);
    rest.cluster.index("plain", 1);

    assertThat(json(rest.call("GET " + BASE + "mine/_status")).path("status").asString())
        .isEqualTo("BOOTSTRAPPING");
    JsonNode paused = json(rest.call("GET " + BASE + "still/_status"));
    assertThat(paused.path("status").asString()).isEqualTo("PAUSED");
    assertThat(paused.path("reason").asString()).isEqualTo("User initiated");
    assertThat(paused.has("syncing_details")).isFalse();
    assertThat(json(rest.call("GET " + BASE + "plain/_status")).path("status").asString())
        .isEqualTo("REPLICATION NOT IN PROGRESS");
  }

  @Test
  void followerStatisticsAreSumsOverThePullers() {
    follower("mine", false);
    follower("yours", false);
    follower("still", true);
    other.reports(puller("mine", "PULLING", 40, 30), puller("yours", "LOST", 5, 5));

    JsonNode stats = json(rest.call("GET " + BASE + "follower_stats"));

    assertThat(stats.path("name").asString()).isEqualTo("ccr-follower-stats");
    Map<String, Integer> expected =
        Map.of(
            "num_syncing_indices", 1,
            "num_bootstrapping_indices", 0,
            "num_paused_indices", 1,
            "num_failed_indices", 1,
            "num_shard_tasks", 2,
            "num_index_tasks", 2,
            "operations_written", 24,
            "leader_checkpoint", 45,
            "failed_read_requests", 74,
            "total_write_time_millis", 72);
    expected.forEach(
        (field, value) -> assertThat(stats.path(field).asInt(-1)).as(field).isEqualTo(value));
    assertThat(stats.at("/index_stats/mine/follower_checkpoint").asInt()).isEqualTo(30);
    assertThat(stats.path("index_stats").size()).isEqualTo(2);
  }

  @Test
  void leaderStatisticsNameTheIndicesOnWhichFollowersHoldLeases() {
    assertThat(
            json(rest.call("GET " + BASE + "leader_stats"))
                .path("num_replicated_indices")
                .asInt(-1))
        .isZero();
    rest.cluster.index("plain", 1);
    rest.shards.leaseHolder = "cluster-copyuuid";

    JsonNode stats = json(rest.call("GET " + BASE + "leader_stats"));

    assertThat(stats.path("name").asString()).isEqualTo("ccr-leader-stats");
    assertThat(stats.path("num_replicated_indices").asInt()).isEqualTo(1);
    assertThat(stats.at("/index_stats/plain").size()).isEqualTo(7);
  }

  @Test
  void aRuleIsAnAutoFollowPatternThatIncludesExistingIndices() {
    rest.call(
        "POST " + BASE + "_autofollow",
        "{\"leader_alias\":\"east\",\"name\":\"logs\",\"pattern\":\"logs-*\","
            + "\"follower_index_pattern\":\"{{leader_index}}-copy\"}");

    AutoFollowPattern pattern =
        new AutoFollowPattern(
            "east",
            List.of("logs-*"),
            List.of(),
            "{{leader_index}}-copy",
            Map.of(),
            null,
            true,
            Set.of());
    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.PutAutoFollow("logs", pattern, true));

    rest.cluster.change(
        state -> state.apply(new ClusterEvent.AutoFollowChanged(Map.of("logs", pattern))));
    JsonNode stats = json(rest.call("GET " + BASE + "autofollow_stats"));
    assertThat(stats.path("num_success_start_replication").asInt(-1)).isZero();
    assertThat(stats.path("failed_indices").isArray()).isTrue();
    assertThat(stats.at("/autofollow_stats/0/name").asString()).isEqualTo("logs");
    assertThat(stats.at("/autofollow_stats/0/pattern").asString()).isEqualTo("logs-*");
    assertThat(
            rest.call(
                    "DELETE " + BASE + "_autofollow",
                    "{\"leader_alias\":\"west\",\"name\":\"logs\"}")
                .getStatus())
        .isEqualTo(404);
    rest.call("DELETE " + BASE + "_autofollow", "{\"leader_alias\":\"east\",\"name\":\"logs\"}");
    assertThat(rest.cluster.commands().getLast())
        .isEqualTo(new ClusterCommand.DeleteAutoFollow("logs"));
  }

  @Test
  void clientsOfElasticsearchAreToldThatTheyMayFollow() {
    assertThat(rest.call("GET /_license").getStatus()).isEqualTo(404);
    rest.cluster.setting(ClusterSettings.IDENTITY, ClusterSettings.IDENTITY_ELASTICSEARCH);

    assertThat(json(rest.call("GET /_license")).at("/license/type").asString()).isEqualTo("trial");
  }
}
