package io.varve.load;

import io.varve.codec.SegmentCodecs;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Computes the size of a shard with another codec's stored fields. No other file of a segment
 * depends on the stored fields, so only these are rewritten, and their size replaces the original
 * one.
 */
final class PeerStore {

  private static final int BUFFER_MEGABYTES = 1_500;

  private PeerStore() {}

  /** Returns the size of the stored fields in the folder's last commit. */
  static long storedBytes(Path folder) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      long bytes = 0;
      for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
        bytes += SegmentCodecs.storedBytes(segment.info);
      }
      return bytes;
    }
  }

  /** Returns the size of the same stored fields in OpenSearch's layout. */
  static long inLayoutOfPeer(Path folder) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(CodecSubject.OPENSEARCH_ZSTD.codec())
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(BUFFER_MEGABYTES);
    try (Directory from = FSDirectory.open(folder);
        DirectoryReader reader = DirectoryReader.open(from);
        Directory to = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(to, config)) {
      StoredFields fields = reader.storedFields();
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        writer.addDocument(fields.document(doc));
      }
      // No reader supports this codec, so measure the files before a commit.
      writer.flush();
      long bytes = 0;
      for (String name : to.listAll()) {
        bytes += name.matches("_.*\\.fd.") ? to.fileLength(name) : 0;
      }
      writer.rollback();
      return bytes;
    }
  }
}
