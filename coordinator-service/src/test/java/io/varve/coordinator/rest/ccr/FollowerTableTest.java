package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** {@code _cat/followers}. */
@Timeout(180)
class FollowerTableTest extends FollowWorld {

  @Test
  void eachShardOfAFollowerHasARowWithItsLag() {
    follower("mine", 2);
    rest.cluster.index("plain", 1);
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30), puller("mine", 1, 7, 7));

    assertThat(text(rest.call("GET /_cat/followers?v")))
        .isEqualTo(
            """
            index shard remote_cluster leader_index state   lag_operations lag_bytes  lag follower_checkpoint leader_checkpoint
            mine  0     east           books        PULLING             10       39b 20ms                  30                40
            mine  1     east           books        PULLING              0       39b 20ms                   7                 7
            """);
    assertThat(text(rest.call("GET /_cat/followers/plain"))).isEmpty();
  }

  @Test
  void whatOnlyASilentPullerKnowsIsEmptyAndNotZero() {
    follower("mine", 1);
    follower("resting", 1, paused());

    JsonNode rows = json(rest.call("GET /_cat/followers?format=json&s=index&h=*"));

    assertThat(rows.valueStream().map(row -> row.path("state").asString()).toList())
        .isEqualTo(List.of("UNASSIGNED", "PAUSED"));
    for (String column : List.of("lag_operations", "lag_bytes", "lag", "follower_checkpoint")) {
      assertThat(rows.path(0).path(column).isNull()).as(column).isTrue();
    }
    assertThat(rows.at("/0/last_error").asString())
        .isEqualTo("no node reports a puller of this shard");
    assertThat(rows.at("/1/last_error").asString()).isEmpty();
  }
}
