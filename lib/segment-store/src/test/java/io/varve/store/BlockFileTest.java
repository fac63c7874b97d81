package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.SegmentFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFileTest {

  private static final int BLOCK = BlockFile.BLOCK_BYTES;
  private static final TestFiles.Made MADE = TestFiles.make("_0.fdt", 20 * BLOCK + 77, 7);
  private static final int LENGTH = MADE.bytes().length;

  /** Serves ranges of the file, records them, and fails on demand. */
  private static final class Source implements SegmentSource {
    final List<String> asked = new CopyOnWriteArrayList<>();
    volatile boolean away;
    volatile int lastBytes;

    @Override
    public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
      if (away) {
        throw new IOException("away");
      }
      asked.add(fromByte / BLOCK + "+" + (length + BLOCK - 1) / BLOCK);
      return new ByteArrayInputStream(MADE.bytes(), (int) fromByte, (int) length - lastBytes);
    }
  }

  @TempDir private Path directory;
  private final Source source = new Source();
  private CopyFolder folder;
  private BlockFile file;

  @BeforeEach
  void open() throws IOException {
    folder = new CopyFolder(directory);
    file = new BlockFile(MADE.file(), folder, source);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
    try (var left = Files.list(directory)) {
      assertThat(left.filter(path -> !path.endsWith("_0.fdt"))).isEmpty();
    }
  }

  private byte[] read(int from, int length) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    file.read(from, into);
    assertThat(into.hasRemaining()).isFalse();
    return into.array();
  }

  private void assertRead(int from, int length) throws IOException {
    assertThat(read(from, length)).isEqualTo(Arrays.copyOfRange(MADE.bytes(), from, from + length));
  }

  @Test
  void bringsOnlyTheBlocksThatAreReadAndEachOnce() throws IOException {
    assertRead(5 * BLOCK + 10, 100);
    assertRead(5 * BLOCK, BLOCK);
    assertRead(LENGTH - 16, 16);
    assertThat(source.asked).containsExactly("5+1", "20+1");
  }

  @Test
  void whoReadsOnGetsMoreAtATime() throws IOException {
    for (int from = 0; from + 1000 < LENGTH; from += 1000) {
      assertRead(from, 1000);
    }
    assertThat(source.asked).containsExactly("0+1", "1+8", "9+8", "17+4");
  }

  @Test
  void itsEndsCanBeBroughtAhead() throws IOException {
    file.bringEnds();
    assertThat(source.asked).containsExactly("0+1", "20+1");
    source.away = true;
    assertRead(0, 40);
    assertRead(LENGTH - 16, 16);
  }

  @Test
  void aReadFailsWithItsSourceAndSucceedsWhenThatIsBack() throws IOException {
    source.away = true;
    assertThatThrownBy(() -> read(0, 10)).isInstanceOf(IOException.class).hasMessage("away");
    source.away = false;
    source.lastBytes = 1;
    assertThatThrownBy(() -> read(0, 10)).isInstanceOf(IOException.class);
    source.lastBytes = 0;
    assertRead(0, 10);
  }

  @Test
  void readsTheWholeFileOnceItStandsInItsPlace() throws IOException {
    assertRead(0, 10);
    Files.write(directory.resolve("_0.fdt"), MADE.bytes());
    source.away = true;
    assertRead(7 * BLOCK, 3 * BLOCK);
  }

  @Test
  void anotherFileOfTheSameNameIsNotTakenForIt() throws IOException {
    Files.write(directory.resolve("_0.fdt"), TestFiles.make("_0.fdt", 20 * BLOCK + 77, 8).bytes());
    assertRead(3 * BLOCK, 10);
    assertThat(source.asked).containsExactly("3+1");
  }

  @Test
  void manyReadersGetTheSameBytesAndAskForEachBlockOnce() throws Exception {
    List<Thread> readers = new ArrayList<>();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(i);
      readers.add(
          Thread.ofVirtual()
              .unstarted(() -> {
                try {
                  for (int n = 0; n < 200; n++) {
                    int length = 1 + random.nextInt(2000);
                    assertRead(random.nextInt(LENGTH - length), length);
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              }));
    }
    readers.forEach(Thread::start);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(failures).isEmpty();
    assertThat(source.asked.size()).isLessThanOrEqualTo(2 * 21);
  }

  @Test
  void refusesToReadBeyondItsEnd() {
    assertThatThrownBy(() -> read(LENGTH - 5, 6)).isInstanceOf(IOException.class);
    assertThat(source.asked).isEmpty();
  }
}
