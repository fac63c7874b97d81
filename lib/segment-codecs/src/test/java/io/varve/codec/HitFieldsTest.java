package io.varve.codec;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HitFieldsTest {

  private static final long SEED = 104;

  private final List<byte[]> sources = SomeJson.records(4_000, SEED);

  @TempDir Path folder;

  private void write(Directory directory, String codec, boolean compound) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig()
                .setCodec(SegmentCodecs.of(codec, 3))
                .setUseCompoundFile(compound))) {
      for (byte[] source : sources) {
        Document document = new Document();
        document.add(new StoredField("_source", source));
        writer.addDocument(document);
      }
    }
  }

  private static LeafReader segment(DirectoryReader reader) {
    return reader.leaves().getFirst().reader();
  }

  private void readsAll(LeafReader segment) throws IOException {
    Random random = new Random(SEED);
    for (int page = 0; page < 50; page++) {
      StoredFields fields = HitFields.of(segment, page % 2 == 0);
      for (int hit = 0; hit < 20; hit++) {
        int doc = random.nextInt(sources.size());
        assertThat(StoredDocuments.source(fields.document(doc))).isEqualTo(sources.get(doc));
      }
    }
  }

  @Test
  void documentsAreReadInAnyOrderFromEachKindOfSegment() throws IOException {
    for (String codec : List.of("default", "best_compression", "zstd")) {
      for (boolean compound : List.of(true, false)) {
        try (Directory directory = new ByteBuffersDirectory()) {
          write(directory, codec, compound);
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            readsAll(segment(reader));
          }
        }
      }
    }
  }

  @Test
  void itsFilesAreClosedWithTheSegment() throws IOException {
    for (boolean compound : List.of(true, false)) {
      MockDirectoryWrapper directory =
          new MockDirectoryWrapper(new Random(SEED), new ByteBuffersDirectory());
      directory.setCheckIndexOnClose(false);
      write(directory, "default", compound);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        readsAll(segment(reader));
      }
      // Throws if a file is open.
      directory.close();
    }
  }

  @Test
  void lucenesReaderServesWhenTheFilesAreGone() throws IOException {
    for (boolean compound : List.of(true, false)) {
      try (Directory directory = FSDirectory.open(folder.resolve("compound-" + compound))) {
        write(directory, "default", compound);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          for (String file : directory.listAll()) {
            directory.deleteFile(file);
          }
          readsAll(segment(reader));
        }
      }
    }
  }

  @Test
  void lucenesReaderServesWhenOtherSegmentsHaveTheNamesOfTheFiles() throws IOException {
    for (boolean compound : List.of(true, false)) {
      Path place = folder.resolve("replaced-" + compound);
      Path other = folder.resolve("other-" + compound);
      try (Directory directory = FSDirectory.open(place);
          Directory another = FSDirectory.open(other)) {
        write(directory, "default", compound);
        write(another, "default", compound);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          for (String file : directory.listAll()) {
            Files.move(other.resolve(file), place.resolve(file), REPLACE_EXISTING);
          }
          readsAll(segment(reader));
        }
      }
    }
  }

  /** Counts the bytes that are read from files with stored fields. */
  private static final class Counting extends FilterDirectory {
    private final AtomicLong bytes = new AtomicLong();

    Counting(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = super.openInput(name, context);
      return name.endsWith(".fdt") ? new Input(input, bytes) : input;
    }

    private static final class Input extends FilterIndexInput {
      private final AtomicLong bytes;

      Input(IndexInput in, AtomicLong bytes) {
        super("counted", in);
        this.bytes = bytes;
      }

      @Override
      public void readBytes(byte[] to, int from, int length) throws IOException {
        bytes.addAndGet(length);
        super.readBytes(to, from, length);
      }

      @Override
      public IndexInput clone() {
        return new Input(in.clone(), bytes);
      }
    }
  }

  private static long bytesFor(StoredFields fields, Counting directory, int from, int to)
      throws IOException {
    long before = directory.bytes.get();
    for (int doc = from; doc < to; doc++) {
      assertThat(fields.document(doc)).isNotNull();
    }
    return directory.bytes.get() - before;
  }

  @Test
  void aPageOfNeighboursReadsTheirBlockOnce() throws IOException {
    try (Counting directory = new Counting(new ByteBuffersDirectory())) {
      write(directory, "default", false);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        long one = bytesFor(HitFields.of(segment(reader), false), directory, 0, 1);
        long ten = bytesFor(HitFields.of(segment(reader), false), directory, 0, 10);
        assertThat(one).isPositive();
        assertThat(ten).isEqualTo(one);
      }
    }
  }

  @Test
  void aDamagedBlockIsReportedAsSuchAndOtherBlocksAreRead() throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      write(directory, "default", false);
      Path file = folder.resolve("_0.fdt");
      byte[] whole = Files.readAllBytes(file);
      Random random = new Random(SEED);
      List<Throwable> failures = new ArrayList<>();
      for (int round = 0; round < 100; round++) {
        byte[] damaged = whole.clone();
        damaged[200 + random.nextInt(whole.length - 300)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, damaged);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          StoredFields fields = HitFields.of(segment(reader), false);
          for (int doc = 0; doc < sources.size(); doc += 50) {
            try {
              assertThat(fields.document(doc)).isNotNull();
            } catch (IOException | RuntimeException e) {
              failures.add(e);
            }
          }
        }
      }
      assertThat(failures)
          .anyMatch(
              e -> e instanceof CorruptIndexException && e.getMessage().contains("damaged block"));
    }
  }

  @Test
  void aClosedSegmentIsRefused() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      write(directory, "default", false);
      DirectoryReader reader = DirectoryReader.open(directory);
      LeafReader segment = segment(reader);
      readsAll(segment);
      reader.close();
      assertThatThrownBy(() -> HitFields.of(segment, false).document(0))
          .isInstanceOf(AlreadyClosedException.class);
    }
  }
}
