package io.varve.coordinator.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PictureStreamsTest {

  private final RestHarness rest = new RestHarness();
  private final PictureStreams streams =
      new PictureStreams(
          rest.cluster,
          new ClusterPainter(
              rest.cluster, rest.part(ClusterSelection.class), rest.part(NodeGuards.class), 10),
          2);

  @AfterEach
  void close() {
    streams.close();
    rest.close();
  }

  @Test
  void sendsPicturesUntilTheClientIsGone() {
    List<JsonNode> pictures = new ArrayList<>();

    streams.send(json -> {
      if (pictures.size() == 2) {
        throw new IOException("gone");
      }
      pictures.add(Json.mapper().readTree(json));
      rest.cluster.index("index" + pictures.size(), 1);
    });

    assertThat(pictures).hasSize(2);
    assertThat(pictures.get(0).path("indices")).isEmpty();
    assertThat(pictures.get(1).at("/indices/0/name").asString()).isEqualTo("index1");
    assertThat(pictures.get(1).at("/indices/0/shards/0/copies/0/node").asString())
        .isEqualTo("primary-node");
    assertThat(pictures.get(1).at("/indices/0/shards/0/copies/0/progress").isNull()).isTrue();
    assertThat(pictures.get(1).path("omitted_shards").isNumber())
        .as("names are snake_case")
        .isTrue();
  }

  @Test
  void endsWhenItIsClosed() {
    List<String> pictures = new ArrayList<>();
    streams.send(json -> {
      pictures.add(json);
      streams.close();
      rest.cluster.index("books", 1);
    });
    assertThat(pictures).hasSize(1);
    assertThat(streams.reserve()).isFalse();
  }

  @Test
  void theNumberOfStreamsIsLimited() {
    assertThat(streams.reserve()).isTrue();
    assertThat(streams.reserve()).isTrue();
    assertThat(streams.reserve()).isFalse();
  }
}
