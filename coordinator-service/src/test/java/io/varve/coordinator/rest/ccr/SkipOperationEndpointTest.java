package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.control.command.ClusterCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Tests {@code _ccr/skip_operation} with a puller whose follower refuses offset 42 of shard 1. */
@Timeout(180)
class SkipOperationEndpointTest extends FollowWorld {

  private static final String SKIP = "POST /mine/_ccr/skip_operation";

  @BeforeEach
  void aRefusingFollower() {
    follower("mine", 2);
    follower("other", 2);
    pullingNode("puller", "http://" + other.address());
    other.reports(
        puller("mine", 0, 40, 40),
        refusing(puller("mine", 1, 40, 30), 42, 31),
        puller("other", 1, 40, 40));
  }

  private void assertRefused(String call, String body, int status, String reason) {
    MockHttpServletResponse response = rest.call(call, body);
    assertThat(response.getStatus()).isEqualTo(status);
    assertThat(json(response).at("/error/reason").asString()).contains(reason);
    assertThat(rest.cluster.commands()).isEmpty();
  }

  @Test
  void theOperationThatIsRefusedNowIsSkipped() {
    JsonNode answer = json(rest.call(SKIP, "{\"shard\":1,\"leader_offset\":42}"));

    assertThat(answer.path("acknowledged").asBoolean()).isTrue();
    assertThat(answer.path("seq_no").asLong()).isEqualTo(31);
    assertThat(rest.cluster.commands())
        .containsExactly(new ClusterCommand.SkipOperation("mine", 1, 42, 31));
  }

  @Test
  void anyOtherOperationIsNot() {
    String reason = "does not refuse the operation at offset";
    assertRefused(SKIP, "{\"shard\":1,\"leader_offset\":41}", 400, reason);
    assertRefused(SKIP, "{\"shard\":0,\"leader_offset\":42}", 400, reason);
    assertRefused(
        "POST /other/_ccr/skip_operation", "{\"shard\":1,\"leader_offset\":42}", 400, reason);
  }

  @Test
  void shardAndOffsetMustBeNamedExactly() {
    assertRefused(SKIP, "{\"shard\":1}", 400, "[leader_offset] must be a number >= 0");
    assertRefused(SKIP, "{\"leader_offset\":42}", 400, "[shard] must be a number >= 0");
    assertRefused(
        SKIP, "{\"shard\":1,\"leader_offset\":42.5}", 400, "[leader_offset] must be a number");
    assertRefused(SKIP, "{\"shard\":-1,\"leader_offset\":42}", 400, "[shard] must be a number");
    assertRefused(
        SKIP, "{\"shard\":1,\"leader_offset\":42,\"all\":true}", 400, "unknown field [all]");
    assertRefused(
        "POST /missing/_ccr/skip_operation",
        "{\"shard\":1,\"leader_offset\":42}",
        404,
        "no such index [missing]");
  }
}
