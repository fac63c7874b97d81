package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyFolderTest {

  private static final TestFiles.Made MADE = TestFiles.make("_0.cfs", 10_000, 1);

  @TempDir private Path directory;
  private Path theirs;
  private CopyFolder own;

  @BeforeEach
  void open() throws IOException {
    theirs = Files.createDirectory(directory.resolve("theirs"));
    own = new CopyFolder(Files.createDirectory(directory.resolve("own")));
  }

  @Test
  void aFileOfAnotherFolderGetsASecondName() throws IOException {
    Files.write(theirs.resolve("_0.cfs"), MADE.bytes());
    assertThat(own.linkFrom(theirs, MADE.file())).isTrue();
    assertThat(Files.isSameFile(theirs.resolve("_0.cfs"), own.place(MADE.file()))).isTrue();
    assertThat(own.partialBytes()).isEmpty();

    Files.delete(theirs.resolve("_0.cfs"));
    assertThat(own.place(MADE.file())).hasBinaryContent(MADE.bytes());
  }

  @Test
  void aFileThatIsAnotherOneOrNotThereIsLeftAlone() throws IOException {
    assertThat(own.linkFrom(theirs, MADE.file())).isFalse();
    assertThat(own.linkFrom(directory.resolve("nowhere"), MADE.file())).isFalse();
    Files.write(theirs.resolve("_0.cfs"), TestFiles.make("_0.cfs", 10_000, 2).bytes());
    assertThat(own.linkFrom(theirs, MADE.file())).isFalse();
    assertThat(own.place(MADE.file())).doesNotExist();
    assertThat(own.partialBytes()).isEmpty();
  }

  @Test
  void aTransferThatBeginsWhileOthersAreDeletedIsKept() throws IOException {
    SegmentFile old = TestFiles.make("_1.cfs", 100, 2).file();
    Files.write(own.temporary(old), new byte[10]);

    own.deletePartialsExcept(() -> {
      begin(MADE.file());
      return List.of();
    });

    assertThat(own.partialBytes()).containsOnlyKeys(CopyPlanner.tempName(MADE.file()));
  }

  private void begin(SegmentFile file) {
    try {
      Files.write(own.temporary(file), new byte[10]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTransferThatEndsWhileItIsLookedAtLeavesNothing() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    Thread others = Thread.ofVirtual().start(() -> beginAndEndUntil(enough));
    try {
      for (int look = 0; look < 20_000; look++) {
        assertThat(own.partialBytes().keySet()).hasSizeLessThanOrEqualTo(1);
      }
    } finally {
      enough.set(true);
      others.join();
    }
  }

  private void beginAndEndUntil(AtomicBoolean enough) {
    while (!enough.get()) {
      begin(MADE.file());
      try {
        own.moveInPlace(MADE.file());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
