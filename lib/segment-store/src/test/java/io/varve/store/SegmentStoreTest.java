package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.ShardId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentStoreTest {

  private static final SegmentStore.Key KEY =
      new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD, 2, "_0.cfs-ab12");

  @TempDir private Path root;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsWhatWasPut(boolean inMemory) throws IOException {
    SegmentStore store = store(inMemory);
    assertThat(store.exists(KEY)).isFalse();

    put(store, "0123456789", 10);

    assertThat(store.exists(KEY)).isTrue();
    assertThat(read(store, 3, 4)).isEqualTo("3456");
    assertThat(read(store, 8, 100)).isEqualTo("89");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neverChangesAnObject(boolean inMemory) throws IOException {
    SegmentStore store = store(inMemory);
    put(store, "0123456789", 10);

    put(store, "abcdefghij", 10);
    assertThatThrownBy(() -> put(store, "short", 5)).isInstanceOf(IOException.class);

    assertThat(read(store, 0, 10)).isEqualTo("0123456789");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsNothingOfAPutThatFails(boolean inMemory) throws IOException {
    SegmentStore store = store(inMemory);

    assertThatThrownBy(() -> put(store, "0123", 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected 10");

    assertThat(store.exists(KEY)).isFalse();
    try (Stream<Path> files = Files.walk(root).filter(Files::isRegularFile)) {
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void forgetsWhatIsDeleted(boolean inMemory) throws IOException {
    SegmentStore store = store(inMemory);
    put(store, "0123", 4);

    store.delete(KEY);
    store.delete(KEY);

    assertThat(store.exists(KEY)).isFalse();
    assertThatThrownBy(() -> store.open(KEY, 0, 4)).isInstanceOf(SourceGoneException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void listsTheObjectsOfAShardAndTheShardsThatHaveSome(boolean inMemory) throws IOException {
    SegmentStore store = store(inMemory);
    SegmentStore.Key manifest =
        new SegmentStore.Key(
            SegmentStore.Kind.MANIFESTS, new ShardId(TestFiles.SHARD.indexUuid(), 1), 3, "7.json");
    put(store, "0123456789", 10);
    store.put(manifest, new ByteArrayInputStream(new byte[2]), 2);

    assertThat(store.list(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD))
        .containsExactly(new SegmentStore.Present(KEY, 10));
    assertThat(store.list(SegmentStore.Kind.MANIFESTS, manifest.shard()))
        .containsExactly(new SegmentStore.Present(manifest, 2));
    assertThat(store.list(SegmentStore.Kind.MANIFESTS, TestFiles.SHARD)).isEmpty();
    assertThat(store.shards(SegmentStore.Kind.MANIFESTS)).containsExactly(manifest.shard());
    assertThat(store.shards(SegmentStore.Kind.SEGMENTS)).containsExactly(TestFiles.SHARD);
  }

  @Test
  void namesObjectsByFileAndTerm() throws IOException {
    put(store(false), "0123", 4);

    assertThat(root.resolve("segments/u1/0/2/_0.cfs-ab12")).hasContent("0123");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD, 2, "../_0.cfs-ab12"));
  }

  @Test
  void theTwinInMemoryFailsAsTold() throws IOException {
    InMemorySegmentStore store = new InMemorySegmentStore();
    put(store, "0123456789", 10);
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public long truncate(SegmentStore.Key key, long length) {
            return length - 2;
          }

          @Override
          public byte lie(SegmentStore.Key key, long position, byte truth) {
            return position == 1 ? (byte) 'x' : truth;
          }

          @Override
          public boolean losesUpload(SegmentStore.Key key) {
            return true;
          }
        });

    assertThat(read(store, 0, 10)).isEqualTo("0x234567");
    store.delete(KEY);
    put(store, "0123456789", 10);
    assertThat(store.exists(KEY)).isFalse();
  }

  private SegmentStore store(boolean inMemory) {
    return inMemory ? new InMemorySegmentStore() : new DirectorySegmentStore(root, () -> now);
  }

  private static void put(SegmentStore store, String content, long length) throws IOException {
    store.put(KEY, new ByteArrayInputStream(content.getBytes(StandardCharsets.US_ASCII)), length);
  }

  private static String read(SegmentStore store, long from, long length) throws IOException {
    try (InputStream in = store.open(KEY, from, length)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void foreignNamesAreLeftOut() throws IOException {
    SegmentStore store = store(false);
    put(store, "0123", 4);
    Path term = root.resolve("segments/u1/0/2");
    Files.writeString(term.resolve(".nfs000000001"), "deleted while it was read");
    Files.writeString(term.resolveSibling(".DS_Store"), "");
    Files.createDirectories(term.resolveSibling("lost+found/x"));
    Files.createDirectories(root.resolve("manifests/u1/old"));
    Files.createDirectories(root.resolve("manifests/u1/0/3"));
    Files.writeString(root.resolve("manifests/u1/0/3/readme.txt"), "");

    assertThat(store.list(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD))
        .containsExactly(new SegmentStore.Present(KEY, 4));
    assertThat(store.shards(SegmentStore.Kind.MANIFESTS)).containsExactly(TestFiles.SHARD);
    assertThat(store.shards(SegmentStore.Kind.SEGMENTS)).containsExactly(TestFiles.SHARD);
    assertThat(new StoredPoints(store).keys(TestFiles.SHARD)).isEmpty();
  }

  @Test
  void whatAKilledProcessLeftGoesAfterADay() throws IOException {
    SegmentStore store = store(false);
    put(store, "0123", 4);
    Path abandoned = Files.writeString(root.resolve("segments/u1/0/2/.put-1"), "half of it");
    Path underWay = Files.writeString(root.resolve("segments/u1/0/2/.put-2"), "half of it");
    Files.setLastModifiedTime(abandoned, FileTime.from(now));
    Files.setLastModifiedTime(underWay, FileTime.from(now.plusSeconds(1)));
    now = now.plus(Duration.ofDays(1)).plusMillis(1);

    store.list(SegmentStore.Kind.SEGMENTS, TestFiles.SHARD);

    assertThat(abandoned).doesNotExist();
    assertThat(underWay).exists();
  }
}
