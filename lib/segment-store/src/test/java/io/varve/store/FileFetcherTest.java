package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFetcherTest {

  private static final FileFetcher.Watch NO_WATCH =
      new FileFetcher.Watch() {
        @Override
        public void present(SegmentFile file, long bytes) {}

        @Override
        public boolean cancelled() {
          return false;
        }
      };

  private static final TestFiles.Made MADE = TestFiles.make("_0.cfs", 300_000, 42);
  private static final int LENGTH = MADE.bytes().length;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private FileServer server;
  private FileFetcher fetcher;

  @BeforeEach
  void open() throws IOException {
    server = new FileServer();
    server.files.put("_0.cfs", MADE.bytes());
    fetcher = fetcher(100_000);
  }

  @AfterEach
  void close() {
    server.close();
    http.close();
  }

  @Test
  void bringsAFileInRanges() throws Exception {
    assertThat(fetch(0)).isEqualTo(new FileFetcher.Outcome.Arrived(MADE.file()));

    assertThat(directory.resolve("_0.cfs")).hasBinaryContent(MADE.bytes());
    assertThat(CodecFile.identify(directory.resolve("_0.cfs"))).isEqualTo(MADE.file());
    assertThat(server.asked).hasSize(4);
    assertThat(server.bytesAsked()).isEqualTo(LENGTH);
    assertThat(fetcher.bytesFetched()).isEqualTo(LENGTH);
    assertThat(fetcher.filesFetched()).isEqualTo(1);
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void resumesWhereAConnectionBroke() throws Exception {
    AtomicInteger answers = new AtomicInteger();
    server.fault =
        new FileServer.Fault() {
          @Override
          public int breakAfter(FileServer.Asked asked, int length) {
            return answers.getAndIncrement() % 2 == 0 ? length / 2 : length;
          }
        };

    assertThat(fetch(0)).isInstanceOf(FileFetcher.Outcome.Arrived.class);

    assertThat(directory.resolve("_0.cfs")).hasBinaryContent(MADE.bytes());
    assertThat(fetcher.bytesFetched()).as("no byte came twice").isEqualTo(LENGTH);
    long end = 0;
    for (FileServer.Asked asked : server.asked) {
      assertThat(asked.from()).isGreaterThanOrEqualTo(end / 2).isLessThanOrEqualTo(end);
      end = asked.to() + 1;
    }
  }

  @Test
  void continuesWhatAnEarlierFetchLeft() throws Exception {
    server.fault =
        new FileServer.Fault() {
          @Override
          public int breakAfter(FileServer.Asked asked, int length) {
            return asked.from() >= 200_000 ? 0 : length;
          }
        };
    assertThat(fetch(0)).isInstanceOf(FileFetcher.Outcome.Broken.class);
    Map<String, Long> left = new CopyFolder(directory).partialBytes();
    assertThat(left).containsEntry(CopyPlanner.tempName(MADE.file()), 200_000L);
    server.fault = new FileServer.Fault() {};
    server.asked.clear();

    assertThat(fetch(200_000)).isInstanceOf(FileFetcher.Outcome.Arrived.class);

    assertThat(server.bytesAsked()).isEqualTo(LENGTH - 200_000);
    assertThat(directory.resolve("_0.cfs")).hasBinaryContent(MADE.bytes());
  }

  @Test
  void asksForNothingWhenAllIsPresent() throws Exception {
    Files.write(new CopyFolder(directory).temporary(MADE.file()), MADE.bytes());

    assertThat(fetch(LENGTH)).isInstanceOf(FileFetcher.Outcome.Arrived.class);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void deletesBytesThatAreWrong() throws Exception {
    server.fault = flip(150_000);

    assertThat(fetch(0))
        .isInstanceOfSatisfying(
            FileFetcher.Outcome.Corrupt.class,
            corrupt -> {
              assertThat(corrupt.file()).isEqualTo(MADE.file());
              assertThat(corrupt.atByte()).isEqualTo(LENGTH - CodecFile.FOOTER_BYTES);
              assertThat(corrupt.reason()).contains("checksum");
            });
    assertThat(directory).isEmptyDirectory();

    server.fault = new FileServer.Fault() {};
    assertThat(fetch(0)).isInstanceOf(FileFetcher.Outcome.Arrived.class);
  }

  @Test
  void noticesAnotherFileByItsHeaderBeforeTheRestCame() throws Exception {
    server.files.put("_0.cfs", TestFiles.make("_0.cfs", 300_000, 43).bytes());

    assertThat(fetch(0))
        .isInstanceOfSatisfying(
            FileFetcher.Outcome.Corrupt.class, c -> assertThat(c.reason()).contains("header id"));
    assertThat(server.asked).hasSize(1);
  }

  @Test
  void everyFlippedByteIsNoticed() throws Exception {
    TestFiles.Made small = TestFiles.make("_1.si", 20, 5);
    for (int position = 0; position < small.bytes().length; position++) {
      byte[] wrong = small.bytes().clone();
      wrong[position] ^= 0x10;
      server.files.put("_1.si", wrong);

      assertThat(
              fetcher.fetch(
                  new CopyPlan.Fetch(small.file(), 0), source(), TransferLane.RECOVERY, NO_WATCH))
          .as("byte %d", position)
          .isInstanceOf(FileFetcher.Outcome.Corrupt.class);
    }
  }

  @Test
  void saysThatTheSourceIsGone() throws Exception {
    server.files.clear();

    assertThat(fetch(0)).isInstanceOf(FileFetcher.Outcome.Gone.class);
  }

  @Test
  void givesUpWhenTheSourceAnswersWithErrors() throws Exception {
    server.fault =
        new FileServer.Fault() {
          @Override
          public int status(FileServer.Asked asked) {
            return 503;
          }
        };

    assertThat(fetch(0)).isInstanceOf(FileFetcher.Outcome.Broken.class);
    assertThat(server.asked).hasSize(2);
  }

  @Test
  void breaksOffAStalledAnswer() throws Exception {
    SegmentSource stalled =
        new PeerSource(
            http,
            server.url(),
            TestFiles.SHARD,
            new SnapshotId(1, 1),
            new PeerSource.Asking(Duration.ofMillis(200), false));
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean answered = new AtomicBoolean();
    server.fault =
        new FileServer.Fault() {
          @Override
          public byte[] change(FileServer.Asked asked, byte[] bytes) {
            try {
              boolean inTime = released.await(120, TimeUnit.SECONDS);
              answered.set(true);
              assertThat(inTime).isTrue();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return bytes;
          }
        };

    assertThat(
            fetcher.fetch(
                new CopyPlan.Fetch(MADE.file(), 0), stalled, TransferLane.RECOVERY, NO_WATCH))
        .isInstanceOf(FileFetcher.Outcome.Broken.class);
    assertThat(answered).isFalse();
    released.countDown();
  }

  @Test
  void stopsWhenItsOwnerWantsIt() throws Exception {
    AtomicInteger pieces = new AtomicInteger();
    FileFetcher.Watch watch =
        new FileFetcher.Watch() {
          @Override
          public void present(SegmentFile file, long bytes) {
            pieces.incrementAndGet();
          }

          @Override
          public boolean cancelled() {
            return pieces.get() >= 2;
          }
        };

    assertThat(
            fetcher.fetch(
                new CopyPlan.Fetch(MADE.file(), 0), source(), TransferLane.RECOVERY, watch))
        .isEqualTo(new FileFetcher.Outcome.Cancelled(MADE.file()));
    assertThat(temporaries()).hasSize(1);
  }

  @Test
  void readsFromADirectoryAndFromAStore(@TempDir Path elsewhere) throws Exception {
    Files.write(elsewhere.resolve("_0.cfs"), MADE.bytes());
    assertThat(fetchFrom(new DirectorySource(elsewhere)))
        .isInstanceOf(FileFetcher.Outcome.Arrived.class);

    Files.delete(directory.resolve("_0.cfs"));
    InMemorySegmentStore store = new InMemorySegmentStore();
    try (InputStream in = Files.newInputStream(elsewhere.resolve("_0.cfs"))) {
      store.put(SegmentStore.Key.of(TestFiles.SHARD, 3, MADE.file()), in, LENGTH);
    }
    assertThat(fetchFrom(stored(store, 3))).isInstanceOf(FileFetcher.Outcome.Arrived.class);
    Files.delete(directory.resolve("_0.cfs"));
    assertThat(fetchFrom(stored(store, 2))).isInstanceOf(FileFetcher.Outcome.Gone.class);
  }

  private static StoredSource stored(SegmentStore store, long term) {
    String object = SegmentStore.Key.of(TestFiles.SHARD, term, MADE.file()).object();
    return new StoredSource(
        store,
        new StoredManifest(
            TestFiles.SHARD,
            4,
            TestFiles.manifest(3, 1, MADE.file()),
            Map.of("_0.cfs", new StoredManifest.Place(term, object, 0))));
  }

  private FileFetcher.Outcome fetchFrom(SegmentSource source) throws InterruptedException {
    return fetcher.fetch(
        new CopyPlan.Fetch(MADE.file(), 0), source, TransferLane.FRESHNESS, NO_WATCH);
  }

  private FileFetcher.Outcome fetch(long present) throws InterruptedException {
    return fetcher.fetch(
        new CopyPlan.Fetch(MADE.file(), present), source(), TransferLane.RECOVERY, NO_WATCH);
  }

  private SegmentSource source() {
    return new PeerSource(
        http,
        server.url(),
        TestFiles.SHARD,
        new SnapshotId(1, 1),
        new PeerSource.Asking(Duration.ofSeconds(60), false));
  }

  private FileFetcher fetcher(int chunkBytes) {
    return new FileFetcher(
        new CopyFolder(directory),
        new FileFetcher.Settings(chunkBytes, 2),
        TransferBudget.UNLIMITED);
  }

  private Map<String, Long> temporaries() throws IOException {
    return new CopyFolder(directory).partialBytes();
  }

  private static FileServer.Fault flip(long position) {
    return new FileServer.Fault() {
      @Override
      public byte[] change(FileServer.Asked asked, byte[] bytes) {
        byte[] changed = Arrays.copyOf(bytes, bytes.length);
        if (asked.from() <= position && position <= asked.to()) {
          changed[(int) (position - asked.from())] ^= 1;
        }
        return changed;
      }
    };
  }
}
