package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.StoredManifest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredPointsTest {

  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final StoredPoints points = new StoredPoints(store);

  private static StoredPoints.Point point(long term, long generation, String index) {
    return new StoredPoints.Point(
        new StoredManifest(TestFiles.SHARD, term, TestFiles.manifest(term, generation), Map.of()),
        Json.mapper().createObjectNode().put("name", index));
  }

  @Test
  void theNewestComesFirst() throws IOException {
    points.put(point(1, 12, "books"));
    points.put(point(2, 3, "books"));
    points.put(point(2, 20, "books"));

    assertThat(points.keys(TestFiles.SHARD))
        .extracting(key -> points.read(key).stored().manifest().generation())
        .containsExactly(20L, 3L, 12L);
  }

  @Test
  void aGenerationIsPutAgainThoughItsIndexHasChangedSince() throws IOException {
    points.put(point(1, 12, "books"));

    points.put(point(1, 12, "books with a longer name"));

    assertThat(points.keys(TestFiles.SHARD)).hasSize(2);
  }

  @Test
  void whatIsNotToBeUnderstoodIsATroubleOfTheStore() throws IOException {
    SegmentStore.Key key =
        new SegmentStore.Key(SegmentStore.Kind.MANIFESTS, TestFiles.SHARD, 3, "7.json");
    store.put(key, new ByteArrayInputStream(new byte[] {'[', '1', ']'}), 3);

    assertThat(points.keys(TestFiles.SHARD)).containsExactly(key);
    assertThatThrownBy(() -> points.read(key))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("7.json");
  }
}
