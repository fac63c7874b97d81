package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UploaderTest {

  private static final TestFiles.Made SMALL = TestFiles.make("_0.si", 10, 1);
  private static final TestFiles.Made SMALLER = TestFiles.make("_0.fnm", 5, 2);
  private static final TestFiles.Made LARGE = TestFiles.make("_1.cfs", 500, 3);
  private static final Manifest MANIFEST =
      TestFiles.manifest(2, 7, SMALL.file(), SMALLER.file(), LARGE.file());

  @TempDir private Path folder;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final Semaphore slots = new Semaphore(2);
  private Uploader uploader;

  @BeforeEach
  void write() throws IOException {
    for (TestFiles.Made made : new TestFiles.Made[] {SMALL, SMALLER, LARGE}) {
      Files.write(folder.resolve(made.file().name()), made.bytes());
    }
    StoreAccess.Settings settings =
        new StoreAccess.Settings(new UploadPlan.Limits(100, 200), 0, StoreAccess.Retention.DEFAULT);
    uploader =
        new Uploader(
            new StoreAccess("s", store, settings, TransferBudget.UNLIMITED, slots),
            TestFiles.SHARD,
            2);
  }

  private StoredManifest upload(Manifest manifest, StoredManifest stored)
      throws IOException, InterruptedException {
    return uploader.upload(manifest, stored, file -> folder.resolve(file.name()));
  }

  private byte[] read(StoredManifest stored, SegmentFile file) throws IOException {
    try (InputStream in = new StoredSource(store, stored).open(file, 3, file.lengthBytes() - 3)) {
      return in.readAllBytes();
    }
  }

  @Test
  void everyFileIsReadBackFromItsPlace() throws Exception {
    StoredManifest stored = upload(MANIFEST, null);

    for (TestFiles.Made made : new TestFiles.Made[] {SMALL, SMALLER, LARGE}) {
      byte[] expected = Arrays.copyOfRange(made.bytes(), 3, made.bytes().length);
      assertThat(read(stored, made.file())).isEqualTo(expected);
    }
    assertThat(store.size()).isEqualTo(2);
    assertThat(uploader.bytes()).isEqualTo(MANIFEST.totalBytes());
  }

  @Test
  void nothingIsSentTwice() throws Exception {
    StoredManifest stored = upload(MANIFEST, null);
    long sent = uploader.objects();

    StoredManifest next = upload(TestFiles.manifest(2, 8, SMALL.file(), LARGE.file()), stored);

    assertThat(uploader.objects()).isEqualTo(sent);
    assertThat(next.places()).containsOnlyKeys("_0.si", "_1.cfs");
  }

  @Test
  void aFailureGivesBackItsSlotAndTheNextAttemptSucceeds() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) throws IOException {
            if (operation.equals("put") && calls.incrementAndGet() == 1) {
              throw new IOException("503 slow down");
            }
          }
        });

    assertThatThrownBy(() -> upload(MANIFEST, null)).hasMessageContaining("slow down");
    assertThat(slots.availablePermits()).isEqualTo(2);
    StoredManifest stored = upload(MANIFEST, null);

    assertThat(read(stored, LARGE.file())).hasSize(LARGE.bytes().length - 3);
  }

  @Test
  void aFileThatIsMissingHereFailsTheUpload() throws Exception {
    Files.delete(folder.resolve("_0.fnm"));

    assertThatThrownBy(() -> upload(MANIFEST, null)).isInstanceOf(IOException.class);
    assertThat(slots.availablePermits()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"_1.cfs, 0", "_1.cfs, 250", "_1.cfs, 515", "_0.fnm, 20"})
  void aFileThatRottedHereIsNotStored(String name, int position) throws Exception {
    Path file = folder.resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    bytes[position] ^= 4;
    Files.write(file, bytes);

    assertThatThrownBy(() -> upload(MANIFEST, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not what it was");

    assertThat(store.size()).as("the other object alone").isEqualTo(1);
  }
}
