package io.varve.coordinator.rest.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.events.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ReplicationStatsTest {

  private static AutoFollowPattern of(String remoteCluster) {
    return new AutoFollowPattern(
        remoteCluster,
        List.of("logs-*"),
        List.of(),
        "{{leader_index}}",
        Map.of(),
        null,
        true,
        Set.of());
  }

  @Test
  void aRuleTellsWhenItsLeaderClusterWasLastChecked() {
    JsonNode stats =
        Json.mapper()
            .valueToTree(
                ReplicationStats.autoFollow(
                    Map.of("a", of("east"), "b", of("west"), "c", of("north")),
                    Map.of(
                        "auto_followed_clusters",
                        List.of(
                            Map.of("cluster_name", "east", "last_check_timestamp", 1_234L),
                            Map.of("cluster_name", "north")))));
    assertThat(stats.at("/autofollow_stats/0/last_execution_time").asLong()).isEqualTo(1_234);
    assertThat(stats.at("/autofollow_stats/1/last_execution_time").asLong(-1))
        .as("never checked")
        .isZero();
    assertThat(stats.at("/autofollow_stats/2/last_execution_time").asLong(-1))
        .as("checked by a coordinator of a former release")
        .isZero();
  }
}
