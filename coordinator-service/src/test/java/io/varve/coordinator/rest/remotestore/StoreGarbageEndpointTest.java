package io.varve.coordinator.rest.remotestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StoreGarbageEndpointTest {

  @Test
  void itIsLookedAtUnlessItIsToGo() {
    try (RestHarness rest = new RestHarness()) {
      rest.store.leftovers.add(new StoreReader.Leftover("u1", 3, 300, false, 0));
      rest.store.leftovers.add(new StoreReader.Leftover("u2", 1, 50, true, 1_000));

      JsonNode looked = RestHarness.json(rest.call("GET /_remotestore/_garbage"));
      assertThat(looked.path("objects").asInt()).isEqualTo(4);
      assertThat(looked.at("/deleted_indices/1/needed_by_another_index").asBoolean()).isTrue();
      assertThat(rest.store.leftovers).hasSize(2);

      JsonNode gone = RestHarness.json(rest.call("POST /_remotestore/_garbage?dry_run=false"));
      assertThat(gone.path("size_in_bytes").asLong()).isEqualTo(300);
      assertThat(gone.path("deleted_indices")).hasSize(1);
      assertThat(rest.store.leftovers).hasSize(1);
    }
  }
}
