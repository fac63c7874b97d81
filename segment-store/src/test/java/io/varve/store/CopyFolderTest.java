package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
