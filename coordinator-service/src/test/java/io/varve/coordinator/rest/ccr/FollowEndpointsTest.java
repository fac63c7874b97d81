package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * Tests {@code _ccr} and {@code _remote/info} with another cluster's coordinator and a node that
 * pulls.
 */
@Timeout(180)
class FollowEndpointsTest {

  private static final String FOLLOW = "PUT /mine/_ccr/follow";
  private static final String BOOKS = "\"remote_cluster\":\"east\",\"leader_index\":\"books\"";
  private static final String MAPPING = "{\"properties\":{\"title\":{\"type\":\"text\"}}}";

  private RestHarness rest;
  private HttpServer other;
  private final Map<String, String> received = new ConcurrentHashMap<>();
  private volatile byte[] pullers = Json.write(List.of());

  @BeforeEach
  void start() throws IOException {
    other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answers("/", "{}".getBytes(StandardCharsets.UTF_8));
    answers("/_internal/cluster/export/books", Json.write(export()));
    answers("/_internal/cluster/export/closed", Json.write(exported(closedIndex())));
    answers("/_internal/cluster/export/red", Json.write(exported(redIndex())));
    answers(
        "/_internal/cluster/export/library",
        400,
        Json.write(
            ErrorBodies.response(
                ErrorBody.illegalArgument("cannot follow [library], because it is a ALIAS"),
                null)));
    answers("/books/_ccr/forget_follower", "{\"_shards\":{}}".getBytes(StandardCharsets.UTF_8));
    other.createContext(
        "/_internal/ccr/stats",
        exchange -> {
          exchange.sendResponseHeaders(200, pullers.length);
          exchange.getResponseBody().write(pullers);
          exchange.close();
        });
    other.start();
    rest = new RestHarness();
    rest.cluster.setting("cluster.remote.east.seeds", address());
  }

  private void answers(String path, byte[] answer) {
    answers(path, 200, answer);
  }

  private void answers(String path, int status, byte[] answer) {
    other.createContext(
        path,
        exchange -> {
          boolean known = exchange.getRequestURI().getPath().equals(path);
          received.put(
              path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(known ? status : 404, known ? answer.length : -1);
          if (known) {
            exchange.getResponseBody().write(answer);
          }
          exchange.close();
        });
  }

  private String address() {
    return "127.0.0.1:" + other.getAddress().getPort();
  }

  @AfterEach
  void close() {
    rest.close();
    other.stop(0);
  }

  private static RemoteCluster.Export export() {
    IndexMetadata leader =
        new IndexMetadata(
            "books",
            "uuid-of-leader",
            0,
            Map.of(
                "index.number_of_routing_shards", "8",
                "index.refresh_interval", "5s",
                "index.codec", "zstd",
                "index.analysis.normalizer.lower.type", "custom",
                "index.mapping.total_fields.limit", "2000",
                "index.max_ngram_diff", "3"),
            1,
            MAPPING,
            1,
            null,
            shards("uuid-of-leader", 2));
    return exported(leader);
  }

  private static RemoteCluster.Export exported(IndexMetadata leader) {
    return new RemoteCluster.Export("there", "c", "kafka:9092", leader, "ops", "id", null);
  }

  private static IndexMetadata closedIndex() {
    return new IndexMetadata(
        "closed",
        "closed-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        null,
        shards("closed-uuid", 1),
        new IndexMetadata.Access(Map.of(), 1, true));
  }

  private static IndexMetadata redIndex() {
    return new IndexMetadata(
        "red",
        "red-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        null,
        List.of(
            new ShardRouting(
                new ShardId("red-uuid", 0),
                0,
                List.of(CopyRouting.unassigned("c", true, "INDEX_CREATED")))));
  }

  private static List<ShardRouting> shards(String uuid, int count) {
    return IntStream.range(0, count)
        .mapToObj(number ->
            new ShardRouting(
                new ShardId(uuid, number),
                0,
                List.of(new CopyRouting("c" + number, true, CopyRouting.State.STARTED, "n1", ""))))
        .toList();
  }

  private static void assertError(MockHttpServletResponse response, int status, String type) {
    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asString()).isEqualTo(type);
  }

  private static ClusterCommand.CreateIndex created(@Nullable FollowParameters parameters) {
    return new ClusterCommand.CreateIndex(
        "mine",
        Map.of(
            "index.number_of_shards", "2",
            "index.number_of_routing_shards", "8",
            "index.analysis.normalizer.lower.type", "custom",
            "index.mapping.total_fields.limit", "2000",
            "index.max_ngram_diff", "3",
            "index.number_of_replicas", "2",
            "index.refresh_interval", "9s"),
        MAPPING,
        new ClusterCommand.Follow("east", "books", "uuid-of-leader", parameters));
  }

  private static final String OWN_SETTINGS =
      ",\"settings\":{\"index.number_of_replicas\":2,\"refresh_interval\":\"9s\"}";

  @Test
  void aFollowerHasTheShardsTheMappingAndItsSettingsOfItsLeaderAndSettingsOfItsOwn() {
    MockHttpServletResponse response = rest.call(FOLLOW, "{" + BOOKS + OWN_SETTINGS + "}");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(json(response))
        .isEqualTo(
            Json.mapper()
                .readTree(
                    "{\"follow_index_created\":true,\"follow_index_shards_acked\":false,"
                        + "\"index_following_started\":false}"));
    assertThat(rest.cluster.commands()).containsExactly(created(null));
  }

  @Test
  void parametersAreKept() {
    rest.call(
        FOLLOW,
        "{"
            + BOOKS
            + OWN_SETTINGS
            + ",\"max_read_request_operation_count\":7,\"max_read_request_size\":\"1kb\","
            + "\"max_outstanding_read_requests\":3,\"max_write_request_operation_count\":\"8\","
            + "\"max_write_request_size\":\"2kb\",\"max_outstanding_write_requests\":4,"
            + "\"max_write_buffer_count\":70,\"max_write_buffer_size\":\"1mb\","
            + "\"max_retry_delay\":\"1s\",\"read_poll_timeout\":\"5m\"}");

    assertThat(rest.cluster.commands())
        .containsExactly(
            created(
                new FollowParameters(7, 1 << 10, 3, 8, 2 << 10, 4, 70, 1 << 20, 1_000, 300_000)));
  }

  @Test
  void parametersOutOfRangeAreReportedTogether() {
    MockHttpServletResponse response =
        rest.call(
            FOLLOW,
            "{"
                + BOOKS
                + ",\"max_outstanding_read_requests\":0,\"max_write_buffer_size\":\"-1\","
                + "\"max_retry_delay\":\"6m\"}");

    assertError(response, 400, "action_request_validation_exception");
    assertThat(json(response).at("/error/reason").asString())
        .isEqualTo(
            "Validation Failed: 1: max_outstanding_read_requests must be larger than 0;"
                + "2: max_write_buffer_size must be larger than 0;"
                + "3: [max_retry_delay] must be less than [5m] but was [6m];");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void waitsForCopiesAndForAPullerWhenAsked() {
    rest.cluster.stopClock();
    MockHttpServletResponse unassigned =
        rest.call(FOLLOW + "?wait_for_active_shards=1", "{" + BOOKS + "}");

    assertThat(json(unassigned).path("follow_index_shards_acked").asBoolean()).isTrue();
    assertThat(json(unassigned).path("index_following_started").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'leader_index':'books'} | 400 | action_request_validation_exception",
        "{'remote_cluster':'east'} | 400 | action_request_validation_exception",
        "{'remote_cluster':'east','leader_index':7} | 400 | action_request_validation_exception",
        "{'remote_cluster':'east','leader_index':'books','more':1} | 400 | x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':7} | 400 | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'number_of_shards':3}} | 400 | illegal_argument_exception",
        "{'remote_cluster':'west','leader_index':'books'} | 404 | no_such_remote_cluster_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'mapping.coerce':false}} | 400 | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'what':3}} | 400 | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','max_read_request_size':7} | 400 | x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_read_request_size':'7'} | 400 | parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_write_buffer_count':'many'} | 400 | x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_retry_delay':'0ms'} | 400 | action_request_validation_exception",
        "{'remote_cluster':'east','leader_index':'closed'} | 400 | index_closed_exception",
        "{'remote_cluster':'east','leader_index':'red'} | 400 | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'library'} | 400 | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'papers'} | 404 | index_not_found_exception",
        "{'remote_cluster':'east','leader_index':'no name'} | 404 | index_not_found_exception"
      })
  void whatCannotBeFollowedIsRefused(String body, int status, String type) {
    assertError(rest.call(FOLLOW, body.replace('\'', '"')), status, type);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void aClusterThatDoesNotAnswerCannotBeFollowedNow() {
    other.stop(0);

    assertError(rest.call(FOLLOW, "{" + BOOKS + "}"), 503, "connect_transport_exception");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  private void follower(String name, int shards) {
    follower(
        name, shards, new IndexMetadata.Follow("east", "books", "uuid-of-leader", "puller", 1));
  }

  private void follower(String name, int shards, IndexMetadata.Follow follow) {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    name,
                    name + "-uuid",
                    0,
                    Map.of(),
                    1,
                    "{}",
                    1,
                    follow,
                    shards(name + "-uuid", shards)))));
  }

  private void pullingNode(String nodeId, String url) {
    rest.cluster.change(state -> {
      Map<String, NodeInfo> nodes = new TreeMap<>(state.nodes());
      nodes.put(nodeId, new NodeInfo(nodeId, nodeId, "i", Set.of(NodeInfo.CCR), url));
      return FakeCluster.copy(state, nodes, state.indices());
    });
  }

  private static PullerStats puller(String index, int shard, long leader, long follower) {
    return new PullerStats(
        index + "-uuid",
        shard,
        "PULLING",
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
        "late");
  }

  @Test
  void theStatisticsOfAFollowerAreThoseOfItsOwnPullers() {
    follower("mine", 2);
    follower("others", 1);
    rest.cluster.index("plain", 1);
    pullingNode("puller", "http://" + address());
    pullers =
        Json.write(
            List.of(puller("mine", 0, 40, 30), puller("mine", 1, 7, 7), puller("others", 0, 9, 1)));

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
    pullingNode("puller", "http://" + address());
    pullingNode("gone", "http://127.0.0.1:1");
    pullers = "<html>".getBytes(StandardCharsets.UTF_8);

    JsonNode own = json(rest.call("GET /mine/_ccr/stats"));

    assertThat(own.at("/indices/0/shards").size()).isEqualTo(1);
    assertThat(own.at("/indices/0/shards/0/state").asString()).isEqualTo("UNASSIGNED");
    assertThat(own.at("/indices/0/shards/0/follower_global_checkpoint").asLong()).isEqualTo(-1);
    assertThat(own.at("/indices/0/total_global_checkpoint_lag").asLong()).isZero();
  }

  @Test
  void eachShardHasTheFieldsOfElasticsearch() {
    follower("mine", 1);
    pullingNode("puller", "http://" + address());
    pullers = Json.write(List.of(puller("mine", 0, 40, 30)));

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
    assertThat(all.at("/follow_stats/indices/0/shards/0/read_exceptions/0/exception/reason"))
        .hasToString("\"late\"");
  }

  private static IndexMetadata.Follow paused() {
    return new IndexMetadata.Follow("east", "books", "uuid-of-leader", null, 2, null, true);
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
  }

  @Test
  void aFollowerIsPaused() {
    follower("mine", 2);

    MockHttpServletResponse response = rest.call("POST /mine/_ccr/pause_follow");

    assertThat(json(response).path("acknowledged").asBoolean()).isTrue();
    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.PauseFollow("mine"));
  }

  @Test
  void aFollowerIsResumedWithParametersOnceItsLeaderFits() {
    follower("mine", 2, paused());
    follower("narrow", 1, paused());

    MockHttpServletResponse refused = rest.call("POST /narrow/_ccr/resume_follow");
    assertError(refused, 400, "illegal_argument_exception");
    assertThat(json(refused).at("/error/reason").asString())
        .isEqualTo(
            "leader index primary shards [2] does not match with the number of shards of the"
                + " follow index [1]");
    assertError(
        rest.call("POST /mine/_ccr/resume_follow", "{\"leader_index\":\"books\"}"),
        400,
        "x_content_parse_exception");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void anUnfollowedIndexGivesUpItsLeases() {
    follower("mine", 2, paused());

    MockHttpServletResponse response = rest.call("POST /mine/_ccr/unfollow");

    assertThat(json(response).path("acknowledged").asBoolean()).isTrue();
    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.Unfollow("mine"));
    assertThat(Json.mapper().readTree(received.get("/books/_ccr/forget_follower")))
        .isEqualTo(
            Json.mapper()
                .readTree(
                    "{\"follower_cluster\":\"test\",\"follower_index\":\"mine\","
                        + "\"follower_index_uuid\":\"mine-uuid\","
                        + "\"leader_remote_cluster\":\"east\"}"));
  }

  @Test
  void anIndexIsUnfollowedThoughItsLeasesCannotBeRemoved() {
    follower("mine", 2, paused());
    other.stop(0);

    MockHttpServletResponse response = rest.call("POST /mine/_ccr/unfollow");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(json(response).at("/error/failed_to_remove_retention_leases").asString())
        .isEqualTo("books");
    assertThat(rest.cluster.commands()).containsExactly(new ClusterCommand.Unfollow("mine"));
  }

  private static final String FORGET =
      "{\"follower_cluster\":\"west\",\"follower_index\":\"copy\","
          + "\"follower_index_uuid\":\"%s\",\"leader_remote_cluster\":\"east\"}";

  @Test
  void forgettingAFollowerRemovesItsLeaseOnEachShard() {
    rest.cluster.index("plain", 2);
    rest.shards.leaseHolder = "cluster-copyuuid";

    JsonNode shards =
        json(rest.call("POST /plain/_ccr/forget_follower", FORGET.formatted("copyuuid")))
            .path("_shards");

    assertThat(shards.path("total").asInt()).isEqualTo(2);
    assertThat(shards.path("successful").asInt()).isEqualTo(2);
    assertThat(shards.path("failed").asInt()).isZero();
    assertThat(rest.removedLeases)
        .containsExactly(
            new ShardId("plain-uuid", 0) + " cluster-copyuuid",
            new ShardId("plain-uuid", 1) + " cluster-copyuuid");
  }

  @Test
  void aLeaseThatDoesNotExistIsReported() {
    rest.cluster.index("plain", 1);

    JsonNode shards =
        json(rest.call("POST /plain/_ccr/forget_follower", FORGET.formatted("copyuuid")))
            .path("_shards");

    assertThat(shards.path("failed").asInt()).isEqualTo(1);
    assertThat(shards.at("/failures/0/reason/type").asString())
        .isEqualTo("retention_lease_not_found_exception");
    assertThat(rest.removedLeases).isEmpty();
    assertError(
        rest.call("POST /none/_ccr/forget_follower", FORGET.formatted("u")),
        404,
        "index_not_found_exception");
    assertError(
        rest.call("POST /plain/_ccr/forget_follower", "{}"), 400, "illegal_argument_exception");
  }

  @Test
  void aRemoteClusterIsConnectedWhileASeedAnswers() {
    rest.cluster.setting("cluster.remote.east.seeds", address() + ", 127.0.0.1:1");
    rest.cluster.setting("cluster.remote.west.seeds", "127.0.0.1:1");

    JsonNode info = json(rest.call("GET /_remote/info"));

    assertThat(info.at("/east/connected").asBoolean()).isTrue();
    assertThat(info.at("/east/num_nodes_connected").asInt()).isEqualTo(1);
    assertThat(info.at("/east/seeds").size()).isEqualTo(2);
    assertThat(info.at("/west/connected").asBoolean()).isFalse();
    assertThat(info.at("/west/skip_unavailable").asBoolean()).isFalse();
  }
}
