package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Tests {@code _ccr/auto_follow} with a coordinator of another cluster. */
@Timeout(180)
class AutoFollowEndpointTest {

  private static final String LOGS =
      "{\"remote_cluster\":\"east\",\"leader_index_patterns\":[\"logs-*\"]";

  private RestHarness rest;
  private RemoteCoordinator other;

  @BeforeEach
  void start() throws IOException {
    other = new RemoteCoordinator();
    other.answers(
        "/_internal/cluster/export",
        Json.write(
            new RemoteCluster.Description(
                "there", "c", "kafka:9092", Map.of("logs-1", "u1", "logs-x", "u2", "a", "u3"))));
    rest = new RestHarness();
    rest.cluster.setting("cluster.remote.east.seeds", other.address());
  }

  @AfterEach
  void close() {
    rest.close();
    other.close();
  }

  private static AutoFollowPattern pattern(String... handled) {
    return new AutoFollowPattern(
        "east",
        List.of("logs-*"),
        List.of("*-x"),
        "{{leader_index}}-copy",
        Map.of("index.number_of_replicas", "0"),
        new FollowParameters(
            5_120,
            32 << 20,
            7,
            5_120,
            Long.MAX_VALUE,
            9,
            Integer.MAX_VALUE,
            512 << 20,
            500,
            60_000),
        true,
        Set.of(handled));
  }

  private static final String ALL_KEYS =
      LOGS
          + ",\"leader_index_exclusion_patterns\":[\"*-x\"],"
          + "\"follow_index_pattern\":\"{{leader_index}}-copy\","
          + "\"settings\":{\"index\":{\"number_of_replicas\":0}},"
          + "\"max_outstanding_read_requests\":7";

  @Test
  void indicesThatExistWhenAPatternIsPutAreNotFollowed() {
    MockHttpServletResponse response = rest.call("PUT /_ccr/auto_follow/logs", ALL_KEYS + "}");

    assertThat(json(response).path("acknowledged").asBoolean()).isTrue();
    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.PutAutoFollow("logs", pattern("u1")));
  }

  @Test
  void existingIndicesAreFollowedWhenThatIsAskedFor() {
    rest.call("PUT /_ccr/auto_follow/logs", ALL_KEYS + ",\"existing_indices\":true}");

    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.PutAutoFollow("logs", pattern(), true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logs | {'leader_index_patterns':['a']} | 400 | action_request_validation_exception",
        "logs | {'remote_cluster':'east'} | 400 | action_request_validation_exception",
        "_logs | {'remote_cluster':'east','leader_index_patterns':['a']} | 400 |"
            + " action_request_validation_exception",
        "a,b | {'remote_cluster':'east','leader_index_patterns':['a']} | 400 |"
            + " action_request_validation_exception",
        "logs | {'remote_cluster':'east','leader_index_patterns':'a'} | 400 |"
            + " x_content_parse_exception",
        "logs | {'remote_cluster':'east','leader_index_patterns':[7]} | 400 |"
            + " x_content_parse_exception",
        "logs | {'remote_cluster':'east','leader_index_patterns':['a'],'more':1} | 400 |"
            + " x_content_parse_exception",
        "logs | {'remote_cluster':'east','leader_index_patterns':['a'],'existing_indices':'x'} |"
            + " 400 | x_content_parse_exception",
        "logs |"
            + " {'remote_cluster':'east','leader_index_patterns':['a'],'settings':{'number_of_shards':1}}"
            + " | 400 | illegal_argument_exception",
        "logs | {'remote_cluster':'east','leader_index_patterns':['a'],'max_retry_delay':'0ms'} |"
            + " 400 | action_request_validation_exception",
        "logs | {'remote_cluster':'west','leader_index_patterns':['a']} | 404 |"
            + " no_such_remote_cluster_exception"
      })
  void aPatternThatCannotWorkIsRefused(String name, String body, int status, String type) {
    MockHttpServletResponse response =
        rest.call("PUT /_ccr/auto_follow/" + name, body.replace('\'', '"'));

    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/type").asString()).isEqualTo(type);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void aPatternForAClusterThatDoesNotAnswerIsRefusedForNow() {
    other.close();

    MockHttpServletResponse response = rest.call("PUT /_ccr/auto_follow/logs", LOGS + "}");

    assertThat(response.getStatus()).isEqualTo(503);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void patternsAreShown() {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.AutoFollowChanged(
                Map.of("logs", pattern(), "more", pattern().asActive(false)))));

    JsonNode all = json(rest.call("GET /_ccr/auto_follow")).path("patterns");
    assertThat(all.valueStream())
        .extracting(p -> p.path("name").asString())
        .containsExactly("logs", "more");
    assertThat(all.at("/1/pattern/active").asBoolean(true)).isFalse();
    JsonNode one = json(rest.call("GET /_ccr/auto_follow/logs")).at("/patterns/0/pattern");
    assertThat(one.path("active").asBoolean()).isTrue();
    assertThat(one.path("remote_cluster").asString()).isEqualTo("east");
    assertThat(one.at("/leader_index_patterns/0").asString()).isEqualTo("logs-*");
    assertThat(one.at("/leader_index_exclusion_patterns/0").asString()).isEqualTo("*-x");
    assertThat(one.path("follow_index_pattern").asString()).isEqualTo("{{leader_index}}-copy");
    assertThat(one.at("/settings/index/number_of_replicas").asString()).isEqualTo("0");
    assertThat(one.path("max_outstanding_read_requests").asInt()).isEqualTo(7);
    assertThat(rest.call("GET /_ccr/auto_follow/none").getStatus()).isEqualTo(404);
  }

  @Test
  void patternsArePausedResumedAndDeleted() {
    rest.call("POST /_ccr/auto_follow/logs/pause");
    rest.call("POST /_ccr/auto_follow/logs/resume");
    rest.call("DELETE /_ccr/auto_follow/logs");

    assertThat(rest.cluster.commands())
        .containsExactly(
            new ClusterCommand.ActivateAutoFollow("logs", false),
            new ClusterCommand.ActivateAutoFollow("logs", true),
            new ClusterCommand.DeleteAutoFollow("logs"));
  }

  @Test
  void theLeadingCoordinatorTellsWhatWasFollowed() {
    other.answers(
        "/_internal/ccr/auto_follow",
        "{\"number_of_successful_follow_indices\":5}".getBytes(StandardCharsets.UTF_8));
    rest.cluster.node(
        "coordinator-node",
        node ->
            new NodeInfo(
                node.nodeId(), node.name(), "i", node.roles(), "http://" + other.address()));

    assertThat(
            json(rest.call("GET /_ccr/stats"))
                .at("/auto_follow_stats/number_of_successful_follow_indices")
                .asInt())
        .isEqualTo(5);
  }
}
