package io.varve.codec;

import java.nio.file.Path;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * A separate process that can't load the zstd library. Prints which operations it could execute.
 */
public final class WithoutZstd {

  private WithoutZstd() {}

  public static void main(String[] arguments) throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig().setCodec(new Lucene104Codec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        StoredDocuments.add(writer, SomeJson.records(10, 1));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        say("default codec reads " + StoredDocuments.read(reader).size());
      }
    }
    say("unreadable " + SegmentCodecs.unreadable("Lucene104,Varve104/2"));
    try {
      SegmentCodecs.of("zstd", 3);
    } catch (IllegalStateException e) {
      say("writing: " + e.getMessage());
    }
    try (Directory directory = FSDirectory.open(Path.of(arguments[0]))) {
      DirectoryReader.open(directory).close();
    } catch (java.io.IOException e) {
      say("opening: " + e.getMessage());
    }
  }

  @SuppressWarnings("SystemOut")
  private static void say(String line) {
    System.out.println(line);
  }
}
