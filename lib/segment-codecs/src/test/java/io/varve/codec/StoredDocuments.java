package io.varve.codec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Writes documents with one of Varve's codecs and reads them back. */
final class StoredDocuments {

  /** Rules with which even small segments get dictionaries. */
  static final DictionaryRules EAGER = new DictionaryRules(4_000, 64_000, 32_000, 4_096, 64L << 20);

  private StoredDocuments() {}

  static Varve104Codec zstd(int level) {
    return new Varve104Codec(new Coding(Coding.Mode.ZSTD, level), EAGER);
  }

  static Varve104Codec zstdNoDict(int level) {
    return new Varve104Codec(new Coding(Coding.Mode.ZSTD_NO_DICT, level), EAGER);
  }

  static IndexWriter writer(Directory directory, Varve104Codec codec, boolean merges)
      throws IOException {
    MergePolicy policy = merges ? new LogDocMergePolicy() : NoMergePolicy.INSTANCE;
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(false)
            .setMergePolicy(policy)
            .setRAMBufferSizeMB(256));
  }

  /** Adds a document for each source, with an id field before the source. */
  static void add(IndexWriter writer, List<byte[]> sources) throws IOException {
    for (int i = 0; i < sources.size(); i++) {
      Document document = new Document();
      document.add(new StoredField("_id", new BytesRef("id" + i)));
      document.add(new StoredField("_source", new BytesRef(sources.get(i))));
      writer.addDocument(document);
    }
  }

  /** Writes one segment with these sources. */
  static void write(Directory directory, Varve104Codec codec, List<byte[]> sources)
      throws IOException {
    try (IndexWriter writer = writer(directory, codec, false)) {
      add(writer, sources);
      writer.commit();
    }
  }

  static List<byte[]> read(DirectoryReader reader) throws IOException {
    List<byte[]> sources = new ArrayList<>();
    StoredFields fields = reader.storedFields();
    for (int doc = 0; doc < reader.maxDoc(); doc++) {
      sources.add(source(fields.document(doc)));
    }
    return sources;
  }

  static boolean same(List<byte[]> read, List<byte[]> written) {
    return Arrays.deepEquals(read.toArray(), written.toArray());
  }

  static byte[] source(Document document) {
    return BytesRef.deepCopyOf(document.getBinaryValue("_source")).bytes;
  }

  static String attribute(CodecReader segment, String name) {
    return ((SegmentReader) segment).getSegmentInfo().info.getAttribute(name);
  }

  static List<String> attributes(DirectoryReader reader, String name) {
    return reader.leaves().stream()
        .map(leaf -> attribute((CodecReader) leaf.reader(), name))
        .toList();
  }
}
