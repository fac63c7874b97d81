package io.varve.codec;

import static io.varve.codec.StoredDocuments.zstd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedFilesTest {

  private static final long SEED = 4711;
  private static final int FOOTER = 16;

  private final List<byte[]> sources = SomeJson.records(4_000, SEED);

  @TempDir Path folder;

  @BeforeEach
  void write() throws Exception {
    try (Directory directory = FSDirectory.open(folder)) {
      StoredDocuments.write(directory, zstd(3), sources);
    }
  }

  private void change(String file, int at) throws Exception {
    byte[] bytes = Files.readAllBytes(folder.resolve(file));
    bytes[at] ^= (byte) (1 << (at % 8));
    Files.write(folder.resolve(file), bytes);
  }

  @Test
  void aChangedBitInABlockIsAnErrorThatNamesFileAndOffsetAndNeverAWrongDocument() throws Exception {
    byte[] whole = Files.readAllBytes(folder.resolve("_0.fdt"));
    Random random = new Random(SEED);
    int found = 0;
    for (int i = 0; i < 60; i++) {
      change("_0.fdt", 100 + random.nextInt(whole.length - 100 - FOOTER));
      found += readsOrFailsLoudly() ? 1 : 0;
      Files.write(folder.resolve("_0.fdt"), whole);
    }
    assertThat(found).isGreaterThan(40);
  }

  /** Returns whether the damage was detected. */
  private boolean readsOrFailsLoudly() throws Exception {
    try (Directory directory = FSDirectory.open(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      boolean found = false;
      for (int doc = 0; doc < reader.maxDoc(); doc += 40) {
        try {
          byte[] source = StoredDocuments.source(reader.storedFields().document(doc));
          // The header of a chunk is Lucene's and has no checksum; after damage in it, documents
          // may have different boundaries.
          assertThat(found || Arrays.equals(source, sources.get(doc)) || isInHeader(reader))
              .isTrue();
        } catch (CorruptIndexException e) {
          found = true;
          if (e.getMessage().contains("block of stored fields")) {
            assertThat(e.getMessage()).contains("_0.fdt").containsPattern("at offset \\d+");
          }
        } catch (Exception e) {
          found = true;
        }
      }
      return found;
    }
  }

  private static boolean isInHeader(DirectoryReader reader) {
    assertThatThrownBy(() -> reader.leaves().getFirst().reader().checkIntegrity())
        .isInstanceOf(CorruptIndexException.class);
    return true;
  }

  @Test
  void aTruncatedFileIsRefusedAtOpening() throws Exception {
    for (String file : List.of("_0.fdt", "_0.zsd")) {
      byte[] whole = Files.readAllBytes(folder.resolve(file));
      Files.write(folder.resolve(file), Arrays.copyOf(whole, whole.length / 2));
      opens().hasStackTraceContaining(file);
      Files.write(folder.resolve(file), whole);
    }
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ?> opens() {
    return assertThatThrownBy(() -> {
      try (Directory directory = FSDirectory.open(folder)) {
        DirectoryReader.open(directory).close();
      }
    });
  }

  @Test
  void aChangedBitInTheDictionaryIsRefusedAtOpening() throws Exception {
    byte[] whole = Files.readAllBytes(folder.resolve("_0.zsd"));
    Random random = new Random(SEED);
    for (int i = 0; i < 50; i++) {
      change("_0.zsd", random.nextInt(whole.length));
      opens().hasStackTraceContaining("_0.zsd");
      Files.write(folder.resolve("_0.zsd"), whole);
    }
    assertThat(SharedDictionary.open()).isZero();
  }

  @Test
  void aMissingDictionaryIsRefusedAtOpening() throws Exception {
    Files.delete(folder.resolve("_0.zsd"));
    opens().hasStackTraceContaining("_0.zsd");
  }

  @Test
  void theDictionaryOfOtherDocumentsIsRefused() throws Exception {
    withAttribute(ZstdFieldsFormat.DICTIONARY, "0123456789abcdef");
    opens()
        .isInstanceOf(CorruptIndexException.class)
        .hasMessageContaining("the segment was written with 0123456789abcdef")
        .hasMessageContaining("_0.zsd");
  }

  @Test
  void aNewerFormatVersionIsReported() throws Exception {
    withAttribute(ZstdFieldsFormat.FORMAT, "3");
    opens().isInstanceOf(IndexFormatTooNewException.class).hasMessageContaining("segment _0");
  }

  /** Rewrites the segment's info with this attribute. */
  private void withAttribute(String name, String value) throws Exception {
    try (Directory directory = FSDirectory.open(folder)) {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      infos.info(0).info.putAttribute(name, value);
      Files.delete(folder.resolve("_0.si"));
      infos
          .info(0)
          .info
          .getCodec()
          .segmentInfoFormat()
          .write(directory, infos.info(0).info, org.apache.lucene.store.IOContext.DEFAULT);
    }
  }

  @Test
  void invalidAttributesAreReported() throws Exception {
    withAttribute(ZstdFieldsFormat.LEVEL, "high");
    opens().isInstanceOf(CorruptIndexException.class).hasMessageContaining("segment _0");
  }

  @Test
  void anIntegrityCheckFindsAChangedDictionary() throws Exception {
    try (Directory directory = FSDirectory.open(folder);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      reader.leaves().getFirst().reader().checkIntegrity();
      change("_0.zsd", 200);
      assertThatThrownBy(() -> reader.leaves().getFirst().reader().checkIntegrity())
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("_0.zsd");
    }
  }

  @Test
  void invalidLengthsAllocateNoMemory() throws Exception {
    Dictionary dictionary = new Dictionary(SomeJson.utf8("{\"a\":".repeat(200)));
    Coding coding = new Coding(Coding.Mode.ZSTD, 3);
    byte[] half = {0, 0, 0, 4};
    for (byte[] lengths : List.of(vint(1 << 30, 100), vint(100, 1 << 30), vint(5_000, 100))) {
      byte[] block = Arrays.copyOf(lengths, lengths.length + half.length);
      assertThatThrownBy(() -> Blocks.decompress(dictionary, coding, block, 100))
          .isInstanceOf(CorruptIndexException.class)
          .hasMessageContaining("invalid lengths");
    }
    byte[] endless = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    assertThatThrownBy(() -> Blocks.decompress(dictionary, coding, endless, 100))
        .isInstanceOf(CorruptIndexException.class);
  }

  private static byte[] vint(int frame, int content) {
    byte[] bytes = new byte[10];
    return Arrays.copyOf(bytes, Varints.write(bytes, Varints.write(bytes, 0, frame), content));
  }

  @Test
  void aTruncatedBlockIsReportedAsCorrupt() throws Exception {
    Dictionary dictionary = new Dictionary(SomeJson.utf8("{\"a\":".repeat(200)));
    Coding coding = new Coding(Coding.Mode.ZSTD, 3);
    byte[] whole = Blocks.compress(dictionary, coding, SomeJson.utf8("{\"a\":1} b".repeat(20)));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> Blocks.decompress(dictionary, coding, cut, 180))
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  @Test
  void anotherDictionaryNeverGivesWrongBytes() throws Exception {
    byte[] block = SomeJson.utf8("{\"a\":1}");
    Dictionary right = new Dictionary(SomeJson.utf8("{\"a\":".repeat(200)));
    Dictionary wrong = new Dictionary(SomeJson.utf8("\"b\":{}".repeat(200)));
    Coding coding = new Coding(Coding.Mode.ZSTD, 3);
    byte[] written = Blocks.compress(right, coding, SomeJson.utf8("{\"a\":".repeat(20)));
    assertThat(Blocks.decompress(right, coding, written, 100)).hasSize(100);
    assertThatThrownBy(() -> Blocks.decompress(wrong, coding, written, 100))
        .isInstanceOf(CorruptIndexException.class);
    assertThat(block).isNotEmpty();
  }
}
