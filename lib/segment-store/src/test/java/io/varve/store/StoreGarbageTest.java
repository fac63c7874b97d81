package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.StoredManifest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreGarbageTest {

  private static final SegmentStore.Key NAMED = key(1, "bundle-1");
  private static final SegmentStore.Key UNNAMED = key(1, "bundle-2");

  private final StoredManifest kept =
      new StoredManifest(
          TestFiles.SHARD,
          2,
          TestFiles.manifest(1, 1, TestFiles.named("_0.a", 1, 1), TestFiles.named("_0.b", 1, 2)),
          Map.of(
              "_0.a", new StoredManifest.Place(1, "bundle-1", 0),
              "_0.b", new StoredManifest.Place(1, "bundle-1", 1)));
  private final StoreGarbage garbage = new StoreGarbage(100);

  private static SegmentStore.Key key(long term, String object) {
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD, term, object);
  }

  private List<SegmentStore.Key> due(long nowMillis, SegmentStore.Key... objects) {
    return garbage.due(
        List.of(objects).stream().map(key -> new SegmentStore.Present(key, 1)).toList(),
        List.of(kept),
        nowMillis);
  }

  @Test
  void whatNoKeptManifestNamesGoesAfterTheGrace() {
    assertThat(due(1_000, NAMED, UNNAMED)).isEmpty();
    assertThat(due(1_099, NAMED, UNNAMED)).isEmpty();
    assertThat(due(1_100, NAMED, UNNAMED)).containsExactly(UNNAMED);
  }

  @Test
  void theSameNameOfAnotherTermIsAnotherObject() {
    due(0, key(2, "bundle-1"));
    assertThat(due(100, NAMED, key(2, "bundle-1"))).containsExactly(key(2, "bundle-1"));
  }

  @Test
  void theGraceBeginsAnewForWhatWasNamedMeanwhile() {
    StoredManifest names =
        new StoredManifest(
            TestFiles.SHARD,
            2,
            TestFiles.manifest(1, 2, TestFiles.named("_1.a", 1, 1)),
            Map.of("_1.a", new StoredManifest.Place(1, "bundle-2", 0)));
    List<SegmentStore.Present> objects = List.of(new SegmentStore.Present(UNNAMED, 1));

    assertThat(garbage.due(objects, List.of(kept), 0)).isEmpty();
    assertThat(garbage.due(objects, List.of(names), 50)).isEmpty();
    assertThat(garbage.due(objects, List.of(kept), 120)).isEmpty();
    assertThat(garbage.due(objects, List.of(kept), 220)).containsExactly(UNNAMED);
  }
}
