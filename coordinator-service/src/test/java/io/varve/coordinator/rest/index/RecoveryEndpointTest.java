package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.ShardId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RecoveryEndpointTest {

  @Test
  void whatIsBuiltToTakeACopysPlaceComesFromThatCopy() throws Exception {
    try (RestHarness rest = new RestHarness()) {
      rest.cluster.index("books", 1);
      rest.cluster.change(state ->
          state.apply(
              new ClusterEvent.RelocationStarted(
                  new ShardId("books-uuid", 0), "books0p", "target", "coordinator-node")));

      JsonNode shards = RestHarness.json(rest.call("GET /books/_recovery")).at("/books/shards");

      assertThat(shards).hasSize(3);
      JsonNode target = shards.get(2);
      assertThat(target.path("type").asString()).isEqualTo("PEER");
      assertThat(target.path("primary").asBoolean()).isFalse();
      assertThat(target.at("/source/name").asString()).isEqualTo("primary-node");
      assertThat(target.at("/target/name").asString()).isEqualTo("coordinator-node");
      assertThat(
              rest.call("GET /_cat/recovery/books?h=type,source_node,target_node")
                  .getContentAsString())
          .contains("peer        primary-node coordinator-node");
      assertThat(RestHarness.json(rest.call("GET /books/_stats")).at("/_shards/successful").asInt())
          .isEqualTo(2);
    }
  }
}
