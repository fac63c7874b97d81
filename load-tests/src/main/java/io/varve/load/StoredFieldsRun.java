package io.varve.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DocumentStoredFieldVisitor;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/** Measures only stored fields: id and source of each document, in one segment. */
record StoredFieldsRun(List<byte[]> sources, int fetches, long seed) {

  private static final int PAGE = 100;
  private static final int BUFFER_MEGABYTES = 1_500;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Size of the stored-fields files; CPU seconds of one thread; times to fetch random documents;
   * times to fetch pages of adjacent documents.
   */
  record Result(
      long bytes,
      double indexSeconds,
      double fetchP50Micros,
      double fetchP99Micros,
      double pageMicros,
      double scanMegabytesPerSecond) {}

  Result on(CodecSubject subject, Path folder) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(subject.codec())
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(BUFFER_MEGABYTES);
    try (Directory directory = new MMapDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, config)) {
      double began = cpuSeconds();
      write(writer);
      // Open the reader from the writer, because no other reader supports OpenSearch's layout.
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        double written = cpuSeconds() - began;
        LeafReader segment = reader.leaves().getFirst().reader();
        double[] fetched = fetch(segment);
        return new Result(
            bytes(directory), written, fetched[0], fetched[1], page(segment), scan(segment));
      } finally {
        writer.rollback();
      }
    }
  }

  private void write(IndexWriter writer) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < sources.size(); i++) {
      Document document = new Document();
      // Same structure as generated ids: time, then random bytes.
      byte[] id = new byte[15];
      for (int at = 0; at < id.length; at++) {
        id[at] = (byte) (at < 4 ? 42 : at < 8 ? i >>> (8 * (7 - at)) : random.nextInt());
      }
      document.add(new StoredField("_id", new BytesRef(id)));
      document.add(new StoredField("_source", new BytesRef(sources.get(i))));
      writer.addDocument(document);
    }
  }

  private static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += name.matches("_.*\\.(fd.|zsd)") ? directory.fileLength(name) : 0;
    }
    return bytes;
  }

  /** Returns the median and the 99th percentile. */
  private double[] fetch(LeafReader segment) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    double[] micros = new double[fetches];
    for (int i = 0; i < fetches; i++) {
      int doc = random.nextInt(sources.size());
      long began = System.nanoTime();
      Document document = segment.storedFields().document(doc);
      micros[i] = (System.nanoTime() - began) / 1e3;
      if (!document.getBinaryValue("_source").bytesEquals(new BytesRef(sources.get(doc)))) {
        throw new IllegalStateException("document " + doc + " was read with other content");
      }
    }
    Arrays.sort(micros);
    return new double[] {micros[fetches / 2], micros[fetches * 99 / 100]};
  }

  private double page(LeafReader segment) throws IOException {
    SplittableRandom random = new SplittableRandom(seed + 1);
    int pages = Math.max(1, fetches / PAGE);
    double[] micros = new double[pages];
    for (int i = 0; i < pages; i++) {
      int from = random.nextInt(Math.max(1, sources.size() - PAGE));
      long began = System.nanoTime();
      StoredFields fields = segment.storedFields();
      for (int doc = from; doc < Math.min(from + PAGE, sources.size()); doc++) {
        fields.document(doc);
      }
      micros[i] = (System.nanoTime() - began) / 1e3;
    }
    Arrays.sort(micros);
    return micros[pages / 2];
  }

  private double scan(LeafReader segment) throws IOException {
    StoredFieldsReader reader = ((CodecReader) segment).getFieldsReader().getMergeInstance();
    double began = cpuSeconds();
    long bytes = 0;
    for (int doc = 0; doc < sources.size(); doc++) {
      DocumentStoredFieldVisitor visitor = new DocumentStoredFieldVisitor();
      reader.document(doc, visitor);
      bytes += visitor.getDocument().getBinaryValue("_source").length;
    }
    return bytes / 1e6 / (cpuSeconds() - began);
  }

  private static double cpuSeconds() {
    return THREADS.getCurrentThreadCpuTime() / 1e9;
  }
}
