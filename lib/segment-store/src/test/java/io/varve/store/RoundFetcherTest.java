package io.varve.store;

import static io.varve.store.TestFiles.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundFetcherTest {

  private static final TestFiles.Made A = TestFiles.make("_0.cfs", 1_000, 1);
  private static final TestFiles.Made B = TestFiles.make("_1.cfs", 200_000, 2);
  private static final TestFiles.Made C = TestFiles.make("_2.cfs", 900_000, 3);
  private static final TestFiles.Made MERGED = TestFiles.make("_3.cfs", 700_000, 4);

  /** Serves the test's files from memory and records the requests. */
  private static final class Memory implements SegmentSource {
    final Map<String, byte[]> files = new ConcurrentHashMap<>(TestFiles.byName(A, B, C, MERGED));
    final List<String> asked = new CopyOnWriteArrayList<>();
    volatile Consumer<String> onOpen = file -> {};

    @Override
    public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
      asked.add(file.name() + "@" + fromByte);
      onOpen.accept(file.name());
      byte[] bytes = files.get(file.name());
      if (bytes == null) {
        throw new SourceGoneException("no " + file.name());
      }
      return new ByteArrayInputStream(bytes, (int) fromByte, (int) length);
    }
  }

  @TempDir private Path directory;
  private final Memory source = new Memory();
  private final AtomicReference<@Nullable Manifest> newest = new AtomicReference<>();
  private final AtomicLong missing = new AtomicLong(-1);

  @Test
  void bringsAllFilesAndAsksForEachByteOnce() throws Exception {
    CopyRound round = planned(manifest(1, 1, A.file(), B.file(), C.file()));

    assertThat(fetch(round)).isEqualTo(new RoundFetcher.Result.Complete());

    assertThat(round.state()).isEqualTo(CopyRound.State.INSTALLING);
    assertThat(directory.resolve("_2.cfs")).hasBinaryContent(C.bytes());
    assertThat(source.asked).doesNotHaveDuplicates();
    assertThat(missing).hasValue(0);
  }

  @Test
  void newerManifestInMidCopyTakesOverFinishedFiles() throws Exception {
    CopyRound round = planned(manifest(1, 1, A.file(), B.file(), C.file()));
    Manifest merged = manifest(1, 2, A.file(), B.file(), MERGED.file());
    source.onOpen =
        file -> {
          if (file.equals("_2.cfs")) {
            awaitComplete(A, B);
            newest.set(merged);
          }
        };

    assertThat(fetch(round)).isEqualTo(new RoundFetcher.Result.Yield(merged));
    CopyRound successor = round.yieldTo(merged);
    assertThat(successor.currentPlan().reuse()).containsExactlyInAnyOrder(A.file(), B.file());
    assertThat(fetch(successor)).isEqualTo(new RoundFetcher.Result.Complete());

    assertThat(source.asked).as("nothing asked for twice").doesNotHaveDuplicates();
    assertThat(directory.resolve("_3.cfs")).hasBinaryContent(MERGED.bytes());
  }

  @Test
  void aPartOfAFileIsTakenOverToo() throws Exception {
    CopyRound round = planned(manifest(1, 1, C.file()));
    Manifest newTerm = manifest(2, 1, C.file(), A.file());
    source.onOpen =
        file -> {
          if (source.asked.size() == 3) {
            newest.set(newTerm);
          }
        };

    assertThat(fetch(round)).isInstanceOf(RoundFetcher.Result.Yield.class);
    CopyRound successor = round.yieldTo(newTerm);
    assertThat(successor.missingBytes()).isLessThan(C.bytes().length + A.bytes().length - 200_000);
    assertThat(fetch(successor)).isEqualTo(new RoundFetcher.Result.Complete());

    assertThat(directory.resolve("_2.cfs")).hasBinaryContent(C.bytes());
    assertThat(source.asked.stream().filter("_2.cfs@0"::equals)).hasSize(1);
  }

  @Test
  void saysWhichFileIsGone() throws Exception {
    source.files.remove("_1.cfs");

    assertThat(fetch(planned(manifest(1, 1, A.file(), B.file()))))
        .isInstanceOfSatisfying(
            RoundFetcher.Result.Failed.class,
            failed -> {
              assertThat(failed.failure()).isEqualTo(CopySchedule.Failure.SOURCE_GONE);
              assertThat(failed.reason()).contains("_1.cfs");
            });
  }

  @Test
  void aCorruptFileFailsTheAttemptButWhatArrivedStays() throws Exception {
    byte[] wrong = B.bytes().clone();
    wrong[100_000] ^= 1;
    source.files.put("_1.cfs", wrong);
    Manifest target = manifest(1, 1, A.file(), B.file());
    source.onOpen =
        file -> {
          if (file.equals("_1.cfs")) {
            awaitComplete(A);
          }
        };

    assertThat(fetch(planned(target)))
        .isInstanceOfSatisfying(
            RoundFetcher.Result.Failed.class,
            failed -> {
              assertThat(failed.failure()).isEqualTo(CopySchedule.Failure.COPY_BROKEN);
              assertThat(failed.reason()).contains("_1.cfs at byte");
            });

    source.files.put("_1.cfs", B.bytes());
    CopyRound second = planned(target);
    assertThat(second.currentPlan().reuse()).containsExactly(A.file());
    assertThat(fetch(second)).isEqualTo(new RoundFetcher.Result.Complete());
  }

  private CopyRound planned(Manifest target) throws IOException {
    List<SegmentFile> here =
        Stream.of(A, B, C, MERGED)
            .map(made -> directory.resolve(made.file().name()))
            .filter(Files::exists)
            .map(RoundFetcherTest::identify)
            .toList();
    CopyRound round = new CopyRound(target);
    round.planned(new LocalFiles(here, new CopyFolder(directory).partialBytes()));
    return round;
  }

  private static SegmentFile identify(Path path) {
    try {
      return CodecFile.identify(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Blocks the worker that calls this until others have completed these files. */
  private void awaitComplete(TestFiles.Made... files) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            Stream.of(files).allMatch(made -> Files.exists(directory.resolve(made.file().name()))));
  }

  private RoundFetcher.Result fetch(CopyRound round) throws InterruptedException {
    FileFetcher fetcher =
        new FileFetcher(
            new CopyFolder(directory),
            new FileFetcher.Settings(100_000, 2),
            TransferBudget.UNLIMITED);
    return new RoundFetcher(fetcher, newest::get, missing::set)
        .fetch(round, source, TransferLane.RECOVERY);
  }
}
