package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import io.varve.events.StoredManifest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedFilesTest {

  private static final int FRAME = FrameTable.CONTENT_BYTES;
  private static final int ENDS = TestFiles.make("_0.x", 0, 1).bytes().length;

  @TempDir private Path folder;
  private final InMemorySegmentStore store = new InMemorySegmentStore();

  private StoredManifest upload(boolean packs, TestFiles.Made... files) throws Exception {
    for (TestFiles.Made made : files) {
      Files.write(folder.resolve(made.file().name()), made.bytes());
    }
    StoreAccess.Settings settings =
        new StoreAccess.Settings(
            UploadPlan.Limits.DEFAULT, 0, StoreAccess.Retention.DEFAULT, packs);
    StoreAccess access =
        new StoreAccess("s", store, settings, TransferBudget.UNLIMITED, new Semaphore(2));
    return new Uploader(access, TestFiles.SHARD, 2)
        .upload(
            TestFiles.manifest(2, 7, Arrays.stream(files).map(TestFiles.Made::file).toList()),
            null,
            file -> folder.resolve(file.name()));
  }

  private static byte[] read(StoredSource source, TestFiles.Made made, long from, long length)
      throws IOException {
    try (InputStream in = source.open(made.file(), from, length)) {
      return in.readAllBytes();
    }
  }

  private static StoredManifest.Place placeOf(StoredManifest stored, TestFiles.Made made) {
    StoredManifest.Place place = stored.placeOf(made.file());
    assertThat(place).isNotNull();
    return place;
  }

  private byte[] object(StoredManifest stored, TestFiles.Made made) throws IOException {
    try (InputStream in =
        store.open(StoredSource.key(stored, placeOf(stored, made)), 0, Integer.MAX_VALUE)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, FRAME, FRAME + 1, 2 * FRAME, 5 * FRAME + 77})
  void aFileThatGainsIsReadBackWholeAndInAnyPart(int bytes) throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", bytes - ENDS, 3);
    StoredManifest stored = upload(true, made);
    StoredSource source = new StoredSource(store, stored);

    assertThat(object(stored, made).length).isLessThan(bytes / 2);
    assertThat(read(source, made, 0, bytes)).isEqualTo(made.bytes());
    Random random = new Random(bytes);
    for (int i = 0; i < 50; i++) {
      int from = random.nextInt(bytes);
      int length = 1 + random.nextInt(bytes - from);
      assertThat(read(source, made, from, length))
          .isEqualTo(Arrays.copyOfRange(made.bytes(), from, from + length));
    }
    assertThat(read(source, made, bytes - 1, 1)).isEqualTo(new byte[] {made.bytes()[bytes - 1]});
  }

  @Test
  void aPartOfAFileCostsTheFramesThatItLiesIn() throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", 8 * FRAME, 3);
    StoredSource source = new StoredSource(store, upload(true, made));
    long[] asked = new long[1];
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public long truncate(SegmentStore.Key key, long length) {
            asked[0] += length;
            return length;
          }
        });

    read(source, made, 4 * FRAME + 10, 100);
    read(source, made, 6 * FRAME + 10, 100);

    assertThat(asked[0]).isLessThan(FRAME);
  }

  @Test
  void packedAndPlainFilesShareAnObject() throws Exception {
    TestFiles.Made gains = TestFiles.packable("_0.dvd", 300_000, 3);
    TestFiles.Made gainsNothing = TestFiles.make("_0.fdt", 300_000, 4);
    TestFiles.Made tiny = TestFiles.packable("_0.si", 100, 5);
    StoredManifest stored = upload(true, gains, gainsNothing, tiny);
    StoredSource source = new StoredSource(store, stored);

    assertThat(store.size()).isEqualTo(1);
    assertThat(placeOf(stored, gains).packedBytes()).isLessThan(150_000);
    assertThat(placeOf(stored, gainsNothing).packedBytes()).isNull();
    assertThat(placeOf(stored, tiny).packedBytes()).isNull();
    for (TestFiles.Made made : new TestFiles.Made[] {gains, gainsNothing, tiny}) {
      assertThat(read(source, made, 0, made.bytes().length)).isEqualTo(made.bytes());
    }
  }

  @Test
  void nothingIsPackedWhereThatIsSwitchedOff() throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", 2 * FRAME, 3);

    StoredManifest stored = upload(false, made);

    assertThat(object(stored, made)).isEqualTo(made.bytes());
  }

  @Test
  void anyZstdDecompressesAPackedObject() throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", 9 * FRAME, 3);
    StoredManifest stored = upload(true, made);

    assertThat(placeOf(stored, made).object()).endsWith(".zst");
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try (ZstdInputStream in =
        new ZstdInputStream(new java.io.ByteArrayInputStream(object(stored, made)))) {
      in.transferTo(whole);
    }
    assertThat(whole.toByteArray()).isEqualTo(made.bytes());
  }

  @Test
  void aChangedByteIsAnErrorWhicheverPartIsRead() throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", 3 * FRAME, 3);
    StoredManifest stored = upload(true, made);
    int length = object(stored, made).length;
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      int frames = length - FrameTable.tableBytes(made.file().lengthBytes());
      int changed = i % 3 == 0 ? frames + random.nextInt(length - frames) : random.nextInt(frames);
      store.faults(
          new InMemorySegmentStore.Faults() {
            @Override
            public byte lie(SegmentStore.Key key, long position, byte truth) {
              return position == changed ? (byte) (truth ^ 1) : truth;
            }
          });
      StoredSource source = new StoredSource(store, stored);
      assertThatThrownBy(
              () -> {
                for (int from = 0; from < made.bytes().length; from += FRAME) {
                  int part = Math.min(FRAME, made.bytes().length - from);
                  byte[] got = read(source, made, from, part);
                  if (got.length < part) {
                    throw new IOException("broke off");
                  }
                }
              })
          .as("byte %d of %d", changed, length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anObjectThatIsCutOffEndsEarlyOrFails() throws Exception {
    TestFiles.Made made = TestFiles.packable("_0.dvd", 3 * FRAME, 3);
    StoredManifest stored = upload(true, made);
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public long truncate(SegmentStore.Key key, long length) {
            return length / 2;
          }
        });
    StoredSource source = new StoredSource(store, stored);

    assertThatThrownBy(() -> read(source, made, 10, 20))
        .as("its table")
        .isInstanceOf(IOException.class)
        .hasMessageContaining("truncated");
    assertThatThrownBy(() -> read(source, made, 0, made.bytes().length))
        .isInstanceOf(IOException.class);
  }
}
