package io.varve.codec;

import static io.varve.codec.StoredDocuments.zstd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {

  private static final long SEED = 4711;

  @Test
  void tenThousandOpensLeakNoNativeMemory() throws Exception {
    List<byte[]> sources = SomeJson.records(1_000, SEED);
    try (Directory directory = new ByteBuffersDirectory()) {
      StoredDocuments.write(directory, zstd(3), sources);
      int before = NativeMemory.dictionaries();
      for (int i = 0; i < 10_000; i++) {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertThat(StoredDocuments.source(reader.storedFields().document(i % 1_000)))
              .isEqualTo(sources.get(i % 1_000));
          assertThat(NativeMemory.dictionaries()).isEqualTo(before + 1);
        }
      }
      assertThat(NativeMemory.dictionaries()).isEqualTo(before);
      assertThat(NativeMemory.decoders()).isLessThanOrEqualTo(NativeMemory.mostDecoders());
    }
  }

  @Test
  void readersOfTheSameDictionaryShareItInNativeMemory() throws Exception {
    try (Directory one = new ByteBuffersDirectory();
        Directory other = new ByteBuffersDirectory()) {
      int before = NativeMemory.dictionaries();
      StoredDocuments.write(one, zstd(3), SomeJson.records(1_000, SEED));
      StoredDocuments.write(other, zstd(3), SomeJson.records(1_000, SEED));
      try (DirectoryReader first = DirectoryReader.open(one);
          DirectoryReader second = DirectoryReader.open(other)) {
        assertThat(NativeMemory.dictionaries()).isEqualTo(before + 1);
        assertThat(first.maxDoc()).isEqualTo(second.maxDoc());
      }
      assertThat(NativeMemory.dictionaries()).isEqualTo(before);
    }
  }

  @Test
  void closingManyIndicesReleasesAllNativeMemory() throws Exception {
    int before = NativeMemory.dictionaries();
    List<DirectoryReader> open = new ArrayList<>();
    for (int index = 0; index < 10; index++) {
      Directory directory = new ByteBuffersDirectory();
      StoredDocuments.write(directory, zstd(3), SomeJson.records(400, SEED + index));
      for (int i = 0; i < 50; i++) {
        open.add(DirectoryReader.open(directory));
      }
    }
    assertThat(NativeMemory.dictionaries()).isEqualTo(before + 10);
    for (DirectoryReader reader : open) {
      reader.close();
    }
    assertThat(NativeMemory.dictionaries()).isEqualTo(before);
    assertThat(NativeMemory.encoders()).isZero();
  }

  @Test
  void aWriterThatCantMakeItsFilesLeavesNothingOpen() throws Exception {
    int before = NativeMemory.dictionaries();
    for (String refused : List.of("zsd", "fdt", "fdx", "fdm")) {
      try (Directory directory = refusing(new ByteBuffersDirectory(), refused)) {
        assertThatThrownBy(
                () -> StoredDocuments.write(directory, zstd(3), SomeJson.records(1_000, SEED)))
            .hasStackTraceContaining("no ." + refused);
      }
    }
    assertThat(NativeMemory.encoders()).isZero();
    assertThat(NativeMemory.dictionaries()).isEqualTo(before);
  }

  private static Directory refusing(Directory directory, String extension) {
    return new FilterDirectory(directory) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        if (name.contains("." + extension) || name.contains("_" + extension)) {
          throw new IOException("no ." + extension + " here");
        }
        return super.createOutput(name, context);
      }

      @Override
      public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
          throws IOException {
        if (suffix.contains(extension)) {
          throw new IOException("no ." + extension + " here");
        }
        return super.createTempOutput(prefix, suffix, context);
      }
    };
  }

  @Test
  void manyThreadsReadWithFewDecoders() throws Exception {
    List<byte[]> sources = SomeJson.records(4_000, SEED);
    try (Directory directory = new ByteBuffersDirectory();
        ExecutorService threads = Executors.newFixedThreadPool(32)) {
      StoredDocuments.write(directory, zstd(2), sources);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        List<Callable<Boolean>> reads = new ArrayList<>();
        for (int thread = 0; thread < 32; thread++) {
          int seed = thread;
          reads.add(() -> readsRight(reader, sources, seed));
        }
        for (Future<Boolean> read : threads.invokeAll(reads)) {
          assertThat(read.get()).isTrue();
        }
      }
    }
    assertThat(NativeMemory.decoders()).isLessThanOrEqualTo(NativeMemory.mostDecoders());
  }

  private static boolean readsRight(DirectoryReader reader, List<byte[]> sources, int seed)
      throws Exception {
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; i < 500; i++) {
      int doc = random.nextInt(sources.size());
      assertThat(StoredDocuments.source(reader.storedFields().document(doc)))
          .isEqualTo(sources.get(doc));
    }
    return true;
  }
}
