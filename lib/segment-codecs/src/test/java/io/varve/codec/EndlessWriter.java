package io.varve.codec;

import java.nio.file.Path;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** A separate process that commits once and then flushes segments until it is killed. */
public final class EndlessWriter {

  static final int COMMITTED = 500;

  private EndlessWriter() {}

  public static void main(String[] arguments) throws Exception {
    try (Directory directory = FSDirectory.open(Path.of(arguments[0]));
        IndexWriter writer = StoredDocuments.writer(directory, StoredDocuments.zstd(3), false)) {
      StoredDocuments.add(writer, SomeJson.records(COMMITTED, 1));
      writer.commit();
      for (int seed = 2; ; seed++) {
        StoredDocuments.add(writer, SomeJson.records(COMMITTED, seed));
        writer.flush();
      }
    }
  }
}
