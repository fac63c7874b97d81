package io.varve.load;

import io.varve.codec.NativeMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Measures the native memory of a thousand open segments. Each group of ten segments shares a
 * dictionary.
 */
final class NativeRun {

  private static final int DICTIONARIES = 100;
  private static final int SEGMENTS_OF_EACH = 10;
  private static final int CONTENT_BYTES = 560_000;
  private static final Path STATUS = Path.of("/proc/self/status");

  private NativeRun() {}

  static void print(Shape shape) throws IOException {
    List<Directory> directories = new ArrayList<>();
    for (int i = 0; i < DICTIONARIES; i++) {
      directories.add(written(shape, i));
    }
    // Don't trigger a garbage collection here: a shrinking heap would hide the growth of native
    // memory.
    long before = anonymousKilobytes();
    List<DirectoryReader> readers = new ArrayList<>();
    for (int i = 0; i < DICTIONARIES * SEGMENTS_OF_EACH; i++) {
      DirectoryReader reader = DirectoryReader.open(directories.get(i % DICTIONARIES));
      reader.storedFields().document(0);
      readers.add(reader);
    }
    int dictionaries = NativeMemory.dictionaries();
    long open = anonymousKilobytes();
    for (DirectoryReader reader : readers) {
      reader.close();
    }
    System.out.printf(
        Locale.ROOT,
        "%n%d open segments: %d dictionaries, %d contexts (at most %d), %.1f MB more in memory than"
            + " before they were opened, heap included; %d dictionaries when they are closed%n",
        readers.size(),
        dictionaries,
        NativeMemory.decoders(),
        NativeMemory.mostDecoders(),
        (open - before) / 1024.0,
        NativeMemory.dictionaries());
  }

  private static Directory written(Shape shape, int seed) throws IOException {
    Directory directory = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new CodecSubject("zstd", 3).codec())
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder source = new StringBuilder();
      for (long bytes = 0, i = 0; bytes < CONTENT_BYTES; bytes += source.length(), i++) {
        source.setLength(0);
        shape.append(source, random, i);
        Document document = new Document();
        document.add(
            new StoredField(
                "_source", new BytesRef(source.toString().getBytes(StandardCharsets.UTF_8))));
        writer.addDocument(document);
      }
      writer.commit();
    }
    return directory;
  }

  /** Returns the anonymous memory of the process, or 0 if the system does not report it. */
  private static long anonymousKilobytes() throws IOException {
    if (!Files.exists(STATUS)) {
      return 0;
    }
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }
}
