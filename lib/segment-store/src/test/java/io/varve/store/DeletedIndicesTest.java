package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeletedIndicesTest {

  private static final ShardId GONE = TestFiles.SHARD;
  private static final ShardId OTHER = new ShardId("another-uuid", 0);
  private static final Set<String> DELETED = Set.of(GONE.indexUuid());
  private static final long GRACE = 100;

  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final DeletedIndices indices = new DeletedIndices(store, GRACE);
  private final List<StoredManifest> living = new ArrayList<>();

  private StoredManifest stored;

  @BeforeEach
  void fill() throws IOException {
    stored = put(GONE);
    put(OTHER);
  }

  /** Stores a file and the manifest that names it. */
  private StoredManifest put(ShardId shard) throws IOException {
    SegmentStore.Key key = new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, 1, "object");
    store.put(key, new ByteArrayInputStream(new byte[7]), 7);
    StoredManifest manifest =
        new StoredManifest(
            shard,
            1,
            TestFiles.manifest(1, 1, TestFiles.named("_0.a", 7, 1)),
            Map.of("_0.a", new StoredManifest.Place(1, "object", 0)));
    new StoredPoints(store).put(new StoredPoints.Point(manifest, Json.mapper().createObjectNode()));
    return manifest;
  }

  private List<DeletedIndices.Leftover> sweep(long nowMillis) throws IOException {
    return indices.sweep(DELETED, () -> living, nowMillis);
  }

  private boolean isThere(ShardId shard) throws IOException {
    return !store.list(SegmentStore.Kind.SEGMENTS, shard).isEmpty()
        && !store.list(SegmentStore.Kind.MANIFESTS, shard).isEmpty();
  }

  @Test
  void aDeletedIndexGoesAsAWholeAfterTheGrace() throws Exception {
    assertThat(sweep(0)).isEmpty();
    assertThat(indices.look(DELETED, () -> living, 40))
        .singleElement()
        .satisfies(left -> {
          assertThat(left.indexUuid()).isEqualTo(GONE.indexUuid());
          assertThat(left.objects()).isEqualTo(2);
          assertThat(left.dueInMillis()).isEqualTo(60);
          assertThat(left.needed()).isFalse();
        });
    assertThat(sweep(99)).isEmpty();
    assertThat(isThere(GONE)).isTrue();

    assertThat(sweep(100)).hasSize(1);

    assertThat(store.list(SegmentStore.Kind.SEGMENTS, GONE)).isEmpty();
    assertThat(store.list(SegmentStore.Kind.MANIFESTS, GONE)).isEmpty();
    assertThat(sweep(200)).isEmpty();
  }

  @Test
  void whatTheLogDoesNotCallDeletedIsNotTouched() throws Exception {
    sweep(0);
    sweep(10_000);
    assertThat(isThere(OTHER)).isTrue();
    assertThat(indices.sweep(Set.of(), () -> living, 20_000)).isEmpty();
  }

  @Test
  void anIndexStaysWhileOneThatWasRestoredFromItBeginsWithItsFiles() throws Exception {
    sweep(0);
    living.add(stored.asBeginningOf("restored-uuid"));
    assertThat(sweep(10_000)).isEmpty();
    assertThat(isThere(GONE)).isTrue();
    assertThat(indices.look(DELETED, () -> living, 10_000).getFirst().needed()).isTrue();

    living.clear();
    assertThat(sweep(10_001)).hasSize(1);
  }

  @Test
  void thatOneMayBelongToAnotherClusterWhichSharesTheStore() throws Exception {
    sweep(0);
    new StoredPoints(store)
        .put(
            new StoredPoints.Point(
                stored.asBeginningOf("of-another-cluster"), Json.mapper().createObjectNode()));
    assertThat(sweep(10_000)).isEmpty();
    assertThat(isThere(GONE)).isTrue();
  }

  @Test
  void nothingGoesWhileItIsNotKnownWhatLives() throws Exception {
    sweep(0);
    assertThatThrownBy(() ->
            indices.sweep(
                DELETED,
                () -> {
                  throw new IOException("the log does not answer");
                },
                10_000))
        .isInstanceOf(IOException.class);
    assertThat(isThere(GONE)).isTrue();
  }

  @Test
  void whatAnEndedProcessLeftBehindIsFoundAgain() throws Exception {
    store.delete(new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, GONE, 1, "object"));
    sweep(0);
    assertThat(sweep(100)).hasSize(1);
    assertThat(store.list(SegmentStore.Kind.MANIFESTS, GONE)).isEmpty();
  }

  @Test
  void filesOfAnIndexThatNeverHadAManifestGoToo() throws Exception {
    store.delete(new StoredPoints(store).keys(GONE).getFirst());
    sweep(0);
    assertThat(sweep(GRACE)).hasSize(1);
    assertThat(store.list(SegmentStore.Kind.SEGMENTS, GONE)).isEmpty();
  }

  @Test
  void whatComesWithinAGraceOfTheFirstEmptyLookIsFound() throws Exception {
    SegmentStore.Key file = new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, GONE, 1, "object");
    store.delete(file);
    store.delete(new StoredPoints(store).keys(GONE).getFirst());
    sweep(0);
    sweep(GRACE - 1);

    store.put(file, new ByteArrayInputStream(new byte[7]), 7);
    sweep(GRACE);
    assertThat(sweep(2 * GRACE)).hasSize(1);
    assertThat(store.list(SegmentStore.Kind.SEGMENTS, GONE)).isEmpty();
  }
}
