package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FollowParametersTest {

  private static FollowParameters delayed(long retryMillis, long pollMillis, long bytes) {
    return new FollowParameters(1, bytes, 1, 1, bytes, 1, 1, bytes, retryMillis, pollMillis);
  }

  @Test
  void defaultsAreThoseOfElasticsearch() {
    assertThat(FollowParameters.DEFAULTS.shown())
        .isEqualTo(
            Map.of(
                "max_read_request_operation_count",
                5120,
                "max_read_request_size",
                "32mb",
                "max_outstanding_read_requests",
                12,
                "max_write_request_operation_count",
                5120,
                "max_write_request_size",
                "9223372036854775807b",
                "max_outstanding_write_requests",
                9,
                "max_write_buffer_count",
                2147483647,
                "max_write_buffer_size",
                "512mb",
                "max_retry_delay",
                "500ms",
                "read_poll_timeout",
                "1m"));
  }

  @Test
  void valuesAreShownWithTheLargestUnitThatIsExact() {
    Map<String, Object> shown = delayed(1_500, 90_000, 3 << 10).shown();

    assertThat(shown.get("max_retry_delay")).isEqualTo("1500ms");
    assertThat(shown.get("read_poll_timeout")).isEqualTo("90s");
    assertThat(shown.get("max_read_request_size")).isEqualTo("3kb");
    assertThat(delayed(1_000, 7_200_000, 1_000).shown().get("read_poll_timeout")).isEqualTo("2h");
    assertThat(delayed(1_000, 1, 1_000).shown().get("max_write_buffer_size")).isEqualTo("1000b");
  }

  @Test
  void aLimitIsPositive() {
    assertThatThrownBy(() -> delayed(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max_retry_delay must be larger than 0, was 0");
  }

  @Test
  void aFollowerOfAFormerReleaseIsActiveAndHasTheDefaults() {
    FollowRelation read =
        Json.read(
            "{\"remote_cluster\":\"eu\",\"leader_index\":\"a\",\"leader_uuid\":\"u\",\"node_id\":null,\"assignment\":3}"
                .getBytes(StandardCharsets.UTF_8),
            FollowRelation.class);

    assertThat(read).isEqualTo(new FollowRelation("eu", "a", "u", null, 3));
    assertThat(read.paused()).isFalse();
    assertThat(read.effectiveParameters()).isEqualTo(FollowParameters.DEFAULTS);
  }

  @Test
  void aPausedFollowerStaysUnassigned() {
    FollowRelation paused = new FollowRelation("eu", "a", "u", "n1", 3).asPaused();

    assertThat(paused.nodeId()).isNull();
    assertThat(paused.assignedTo("n2", 9).nodeId()).isNull();
    assertThat(paused.resumed(null).assignedTo("n2", 9).nodeId()).isEqualTo("n2");
    assertThatThrownBy(() -> new FollowRelation("eu", "a", "u", "n1", 3, null, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
