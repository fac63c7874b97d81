package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlushDirectoryTest {

  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(10, 1000));
  private static final IOContext SMALL_MERGE = merge(FlushDirectory.SMALL_MERGE_BYTES);
  private static final IOContext LARGE_MERGE = merge(FlushDirectory.SMALL_MERGE_BYTES + 1);
  private static final long SEED = 0x5EED;

  private final FaultyDisk disk = new FaultyDisk();
  private final FlushDirectory directory = new FlushDirectory(disk, disk);

  private static IOContext merge(long estimatedBytes) {
    return IOContext.merge(new MergeInfo(10, estimatedBytes, false, -1));
  }

  private static IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(directory, config());
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private static Document document(int number, int words) {
    Random random = new Random(SEED + number);
    String text =
        random.ints(words, 0, 1 << 20).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    Document document = new Document();
    document.add(new IntField("number", number, Field.Store.YES));
    document.add(new TextField("text", text, Field.Store.YES));
    return document;
  }

  private Set<String> extensionsOnDisk() {
    return disk.created.stream()
        .map(name -> String.valueOf(IndexFileNames.getExtension(name)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aSmallFlushWritesItsCompoundFileOnly() throws Exception {
    try (IndexWriter writer = writer(directory)) {
      for (int i = 0; i < 20; i++) {
        writer.addDocument(document(i, 5));
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(reader.numDocs()).isEqualTo(20);
        assertThat(extensionsOnDisk()).containsExactly("cfe", "cfs", "si");
        assertThat(directory.listAll()).containsExactly("_0.cfe", "_0.cfs", "_0.si");
      }
    }
  }

  @Test
  void theLockIsValidatedForFilesOnTheDiskOnly() throws Exception {
    try (IndexWriter writer = writer(directory)) {
      writer.addDocument(document(0, 5));
      int before = disk.validations;
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertThat(reader.numDocs()).isEqualTo(1);
      }
      assertThat(disk.validations - before).as("cfs, cfe, si").isEqualTo(3);
    }
  }

  @Test
  void aWriterThatLostItsLockDoesNotChangeTheDisk() throws Exception {
    directory.createOutput("_0.cfs", FLUSH).close();
    try (Lock _ = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      disk.lockIsLost = true;
      directory.createOutput("_1.fdt", FLUSH).close();
      assertThatThrownBy(() -> directory.createOutput("_1.cfs", FLUSH)).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(() -> directory.toDisk(List.of("_1.fdt"))).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(() -> directory.deleteFile("_0.cfs")).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(() -> directory.sync(List.of("_0.cfs"))).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(() -> directory.rename("_0.cfs", "_2.cfs")).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(directory::syncMetaData).hasMessage(FaultyDisk.LOST);
      assertThatThrownBy(() -> large("_1.dvd")).hasMessage(FaultyDisk.LOST);
      assertThat(disk.listAll()).containsExactly("_0.cfs");
    }
  }

  private void large(String name) throws IOException {
    try (IndexOutput out = directory.createOutput(name, FLUSH)) {
      out.writeBytes(new byte[FlushDirectory.PART_BYTES + 1], FlushDirectory.PART_BYTES + 1);
    }
  }

  @Test
  void aFileThatIsReadOnceIsNotMapped() throws Exception {
    FaultyDisk once = new FaultyDisk();
    write(disk, "_0.si", 0);
    write(once, "_0.si", 1);
    FlushDirectory both = new FlushDirectory(disk, once);
    try (IndexInput usual = both.openInput("_0.si", IOContext.DEFAULT);
        IndexInput single = both.openInput("_0.si", IOContext.READONCE)) {
      assertThat(usual.readByte()).isZero();
      assertThat(single.readByte()).isOne();
    }
  }

  private static void write(Directory folder, String name, int value) throws IOException {
    try (IndexOutput out = folder.createOutput(name, FLUSH)) {
      out.writeByte((byte) value);
    }
  }

  @Test
  void largePartsAreWrittenToTheDiskAndEverySegmentIsIntact() throws Exception {
    try (IndexWriter writer = writer(directory)) {
      for (int i = 0; i < 300; i++) {
        writer.addDocument(document(i, 1 + i));
        if (i % 100 == 99) {
          writer.flush();
        }
      }
      writer.commit();
      assertThat(extensionsOnDisk()).contains("fdt", "pos").doesNotContain("fnm");
    }
    try (DirectoryReader reader = DirectoryReader.open(disk)) {
      assertThat(reader.numDocs()).isEqualTo(300);
      for (LeafReaderContext leaf : reader.leaves()) {
        leaf.reader().checkIntegrity();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_0.cfs",
        "_0.cfe",
        "_0.si",
        "_0_1.liv",
        "_0_1.fnm",
        "_0_1_Lucene90_0.dvd",
        "pending_segments_1"
      })
  void aFileThatOutlivesTheFlushIsOnTheDiskAtOnce(String name) throws Exception {
    directory.createOutput(name, FLUSH).close();
    assertThat(disk.listAll()).containsExactly(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_0.fdt", "_0_Lucene103_0.doc", "_z.fnm"})
  void partsOfFlushesAndSmallMergesAreInMemoryAndThoseOfLargeMergesAreNot(String name)
      throws Exception {
    for (IOContext small : List.of(FLUSH, IOContext.DEFAULT, SMALL_MERGE)) {
      directory.createOutput(name, small).close();
      assertThat(disk.listAll()).isEmpty();
      directory.deleteFile(name);
    }
    directory.createOutput(name, LARGE_MERGE).close();
    assertThat(disk.listAll()).containsExactly(name);
  }

  @Test
  void aSmallMergeWritesItsCompoundFileOnly() throws Exception {
    MergePolicy merges = new TieredMerges(Map.of()).policy();
    try (IndexWriter writer = new IndexWriter(directory, config().setMergePolicy(merges))) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(document(i, 5));
        writer.flush();
      }
      writer.forceMerge(1);
      assertThat(extensionsOnDisk()).containsExactly("cfe", "cfs", "si");
      assertThat(directory.listAll()).contains("_3.cfe", "_3.cfs", "_3.si");
    }
  }

  @Test
  void mergedFilesWithoutACompoundFileAreOnTheDiskOnceTheyAreNeededThere() throws Exception {
    TieredMergePolicy merges = new TieredMergePolicy();
    merges.setNoCFSRatio(0);
    try (IndexWriter writer = new IndexWriter(directory, config().setMergePolicy(merges))) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(document(i, 5));
        writer.flush();
      }
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        Collection<String> names =
            ((StandardDirectoryReader) reader).getSegmentInfos().files(false);
        assertThat(names).contains("_3.fdt", "_3.fnm");
        assertThat(disk.listAll()).doesNotContain("_3.fdt", "_3.fnm");
        directory.toDisk(names);
        assertThat(disk.listAll()).containsAll(names);
      }
      writer.commit();
    }
    try (DirectoryReader reader = DirectoryReader.open(disk)) {
      assertThat(reader.numDocs()).isEqualTo(3);
      reader.leaves().getFirst().reader().checkIntegrity();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1000, -1, 0, 1, 7, 40_000})
  void aPartHasTheSameBytesAndChecksumAsAFile(int beyondTheLimit) throws Exception {
    int size = FlushDirectory.PART_BYTES + beyondTheLimit;
    try (Directory file = new ByteBuffersDirectory();
        IndexOutput expected = file.createOutput("_0.fdt", FLUSH);
        IndexOutput part = directory.createOutput("_0.fdt", FLUSH)) {
      write(expected, size);
      write(part, size);
      assertThat(part.getFilePointer()).isEqualTo(size);
      assertThat(part.getChecksum()).isEqualTo(expected.getChecksum());
      expected.close();
      part.close();
      assertThat(bytes(directory)).isEqualTo(bytes(file));
    }
    assertThat(disk.created).hasSize(beyondTheLimit > 0 ? 1 : 0);
    directory.deleteFile("_0.fdt");
    assertThat(directory.listAll()).isEmpty();
    assertThat(disk.listAll()).isEmpty();
  }

  private static void write(IndexOutput out, int size) throws IOException {
    Random random = new Random(SEED);
    byte[] some = new byte[300];
    random.nextBytes(some);
    while (size - out.getFilePointer() >= some.length) {
      switch (random.nextInt(6)) {
        case 0 -> out.writeByte((byte) random.nextInt());
        case 1 -> out.writeShort((short) random.nextInt());
        case 2 -> out.writeInt(random.nextInt());
        case 3 -> out.writeLong(random.nextLong());
        case 4 -> out.writeVLong(random.nextLong() >>> 1);
        default -> out.writeBytes(some, random.nextInt(some.length));
      }
    }
    out.writeBytes(some, (int) (size - out.getFilePointer()));
  }

  private static byte[] bytes(Directory directory) throws IOException {
    assertThat(directory.listAll()).containsExactly("_0.fdt");
    try (IndexInput in = directory.openInput("_0.fdt", IOContext.READONCE)) {
      assertThat(directory.fileLength("_0.fdt")).isEqualTo(in.length());
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  @Test
  void aPartThatTheDiskDoesNotTakeFailsAndCanBeDeleted() throws Exception {
    disk.full = true;
    try (IndexOutput part = directory.createOutput("_0.fdt", FLUSH)) {
      part.writeBytes(new byte[FlushDirectory.PART_BYTES], FlushDirectory.PART_BYTES);
      assertThatThrownBy(() -> part.writeByte((byte) 1)).hasMessageContaining("No space left");
    }
    directory.deleteFile("_0.fdt");
    assertThat(directory.listAll()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPartThatAFullDiskDidNotTakeIsWrittenWhenThereIsRoom(boolean atTheEnd) throws Exception {
    try (IndexOutput part = directory.createOutput("_0.fdt", FLUSH)) {
      part.writeString("content");
    }
    disk.full = !atTheEnd;
    disk.fullAtTheEnd = atTheEnd;
    assertThatThrownBy(() -> directory.toDisk(List.of("_0.fdt")))
        .hasMessageContaining("No space left");
    assertThat(disk.listAll()).isEmpty();

    disk.full = false;
    disk.fullAtTheEnd = false;
    directory.toDisk(List.of("_0.fdt"));
    try (IndexInput in = disk.openInput("_0.fdt", IOContext.READONCE)) {
      assertThat(in.readString()).isEqualTo("content");
    }
  }

  @Test
  void partsThatAreSyncedOrRenamedAreOnTheDisk() throws Exception {
    for (String name : List.of("_0.fdt", "_0.fnm", "_0.nvd")) {
      try (IndexOutput part = directory.createOutput(name, FLUSH)) {
        part.writeString(name);
      }
    }
    directory.sync(List.of("_0.fdt"));
    directory.rename("_0.fnm", "_1.fnm");
    assertThat(disk.listAll()).containsExactly("_0.fdt", "_1.fnm");
    try (IndexInput in = disk.openInput("_1.fnm", IOContext.READONCE)) {
      assertThat(in.readString()).isEqualTo("_0.fnm");
    }
    assertThat(directory.listAll()).containsExactly("_0.fdt", "_0.nvd", "_1.fnm");
  }

  @Test
  void namesAreUniqueAsOnADisk() throws Exception {
    directory.createOutput("_0.fdt", FLUSH).close();
    assertThatThrownBy(() -> directory.createOutput("_0.fdt", FLUSH))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> directory.openInput("_0.fdx", IOContext.READONCE))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> directory.deleteFile("_0.fdx"))
        .isInstanceOf(NoSuchFileException.class);
    try (IndexOutput one = directory.createTempOutput("_0", "ids", FLUSH);
        IndexOutput two = directory.createTempOutput("_0", "ids", FLUSH)) {
      assertThat(one.getName()).isNotEqualTo(two.getName()).endsWith(".tmp");
      assertThat(directory.listAll()).contains(one.getName(), two.getName());
    }
    assertThat(disk.created).isEmpty();
  }
}
