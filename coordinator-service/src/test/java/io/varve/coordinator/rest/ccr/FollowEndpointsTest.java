package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.RetentionLease;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
class FollowEndpointsTest extends FollowWorld {
  private static final String FOLLOW = "PUT /mine/_ccr/follow";
  private static final String BOOKS = "\"remote_cluster\":\"east\",\"leader_index\":\"books\"";

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
        new ClusterCommand.Follow(
            "east",
            "books",
            "uuid-of-leader",
            parameters,
            List.of(new FollowOrigin("c", "uuid-of-leader"))));
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
        "{'remote_cluster':'east','leader_index':'books','more':1} | 400 |"
            + " x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':7} | 400 |"
            + " illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'number_of_shards':3}} | 400 |"
            + " illegal_argument_exception",
        "{'remote_cluster':'west','leader_index':'books'} | 404 | no_such_remote_cluster_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'mapping.coerce':false}} | 400"
            + " | illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','settings':{'what':3}} | 400 |"
            + " illegal_argument_exception",
        "{'remote_cluster':'east','leader_index':'books','max_read_request_size':7} | 400 |"
            + " x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_read_request_size':'7'} | 400 |"
            + " parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_write_buffer_count':'many'} | 400 |"
            + " x_content_parse_exception",
        "{'remote_cluster':'east','leader_index':'books','max_retry_delay':'0ms'} | 400 |"
            + " action_request_validation_exception",
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
    other.close();

    assertError(rest.call(FOLLOW, "{" + BOOKS + "}"), 503, "connect_transport_exception");
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void aClusterThatRefusesTheCredentialsIsAnErrorThatNamesThem() throws Exception {
    HttpServer locked =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    locked.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    locked.start();
    try {
      rest.cluster.setting(
          "cluster.remote.east.seeds", "127.0.0.1:" + locked.getAddress().getPort());

      MockHttpServletResponse answer = rest.call(FOLLOW, "{" + BOOKS + "}");

      assertError(answer, 503, "security_exception");
      assertThat(json(answer).at("/error/reason").asString())
          .contains("401")
          .contains("cluster.remote.east.credentials_file");
      assertThat(rest.cluster.commands()).isEmpty();
    } finally {
      locked.stop(0);
    }
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
    assertThat(Json.mapper().readTree(other.received("/books/_ccr/forget_follower")))
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
    other.close();

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
  void forgettingAFollowerEndsItsRecordedLease() {
    rest.cluster.index("plain", 2);
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.LeasesChanged(
                Map.of(
                    "plain-uuid",
                    Map.of("cluster-copyuuid", new RetentionLease(7, 0, Map.of(0, 5L, 1, 5L)))))));

    JsonNode shards =
        json(rest.call("POST /plain/_ccr/forget_follower", FORGET.formatted("copyuuid")))
            .path("_shards");

    assertThat(shards.path("successful").asInt()).isEqualTo(2);
    assertThat(rest.cluster.commands())
        .contains(new ClusterCommand.EndLeases("plain-uuid", List.of("cluster-copyuuid")));
    assertThat(rest.removedLeases).isEmpty();
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
    rest.cluster.setting("cluster.remote.east.seeds", other.address() + ", 127.0.0.1:1");
    rest.cluster.setting("cluster.remote.west.seeds", "127.0.0.1:1");

    JsonNode info = json(rest.call("GET /_remote/info"));

    assertThat(info.at("/east/connected").asBoolean()).isTrue();
    assertThat(info.at("/east/num_nodes_connected").asInt()).isEqualTo(1);
    assertThat(info.at("/east/seeds").size()).isEqualTo(2);
    assertThat(info.at("/west/connected").asBoolean()).isFalse();
    assertThat(info.at("/west/skip_unavailable").asBoolean()).isFalse();
  }
}
