package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
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
  private volatile byte[] pullers = Json.write(List.of());

  @BeforeEach
  void start() throws IOException {
    other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answers("/", "{}".getBytes(StandardCharsets.UTF_8));
    answers("/_internal/cluster/export/books", Json.write(export()));
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
    other.createContext(
        path,
        exchange -> {
          boolean known = exchange.getRequestURI().getPath().equals(path);
          exchange.sendResponseHeaders(known ? 200 : 404, known ? answer.length : -1);
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
    return new RemoteCluster.Export("there", "c", "kafka:9092", leader, "ops", "id", null);
  }

  private static List<ShardRouting> shards(String uuid, int count) {
    return IntStream.range(0, count)
        .mapToObj(number ->
            new ShardRouting(
                new ShardId(uuid, number),
                0,
                List.of(CopyRouting.unassigned("c" + number, true, "INDEX_CREATED"))))
        .toList();
  }

  private static void assertError(MockHttpServletResponse response, int status, String type) {
    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asString()).isEqualTo(type);
  }

  @Test
  void aFollowerHasTheShardsTheMappingAndItsSettingsOfItsLeaderAndSettingsOfItsOwn() {
    MockHttpServletResponse response =
        rest.call(
            FOLLOW,
            "{"
                + BOOKS
                + ",\"settings\":{\"index.number_of_replicas\":2,\"refresh_interval\":\"9s\","
                + "\"index.mapping.total_fields.limit\":3000}}");

    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(json(response).path("follow_index_created").asBoolean()).isTrue();
    assertThat(json(response).path("index_following_started").asBoolean()).isTrue();
    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.CreateIndex(
                "mine",
                Map.of(
                    "index.number_of_shards", "2",
                    "index.number_of_routing_shards", "8",
                    "index.analysis.normalizer.lower.type", "custom",
                    "index.mapping.total_fields.limit", "3000",
                    "index.max_ngram_diff", "3",
                    "index.number_of_replicas", "2",
                    "index.refresh_interval", "9s"),
                MAPPING,
                new ClusterCommand.Follow("east", "books", "uuid-of-leader")));
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
                    new IndexMetadata.Follow("east", "books", "uuid-of-leader", "puller", 1),
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
  void aNodeThatTellsNothingLeavesItsPullersOut() {
    follower("mine", 1);
    pullingNode("puller", "http://" + address());
    pullingNode("gone", "http://127.0.0.1:1");
    pullers = "<html>".getBytes(StandardCharsets.UTF_8);

    JsonNode own = json(rest.call("GET /mine/_ccr/stats"));

    assertThat(own.at("/indices/0/shards").isEmpty()).isTrue();
    assertThat(own.at("/indices/0/total_global_checkpoint_lag").asLong()).isZero();
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
