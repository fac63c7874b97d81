package io.varve.engine;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint, commit data and files of a writer's newest commit. Before the first one: {@link
 * Checkpoint#NONE}, no data, no files.
 *
 * <p>Any thread may read; the engine serializes writes. The data is published before the
 * checkpoint, and the checkpoint before the files, so a thread that reads a checkpoint sees its
 * data or newer data.
 */
final class LastCommit {

  private final Directory directory;
  private volatile Map<String, String> data = Map.of();
  private volatile Checkpoint checkpoint = Checkpoint.NONE;
  private volatile @Nullable SegmentInfos infos;

  LastCommit(Directory directory) {
    this.directory = directory;
  }

  /** Initializes from the commit with which the writer was opened. */
  void found(IndexWriter writer) throws IOException {
    Map<String, String> found = new HashMap<>();
    Iterable<Map.Entry<String, String>> entries = writer.getLiveCommitData();
    if (entries != null) {
      entries.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    }
    data = Map.copyOf(found);
    checkpoint = Checkpoint.ofCommitData(data);
    infos =
        DirectoryReader.indexExists(directory) ? SegmentInfos.readLatestCommit(directory) : null;
  }

  /** Commits if that would change anything; returns whether it did. */
  boolean write(IndexWriter writer, Checkpoint reached, Map<String, String> carried)
      throws IOException {
    if (carried.equals(data) && !writer.hasUncommittedChanges()) {
      return false;
    }
    writer.setLiveCommitData(carried.entrySet());
    writer.commit();
    data = Map.copyOf(carried);
    checkpoint = reached;
    infos = SegmentInfos.readLatestCommit(directory);
    return true;
  }

  Map<String, String> data() {
    return data;
  }

  Checkpoint checkpoint() {
    return checkpoint;
  }

  @Nullable SegmentInfos infos() {
    return infos;
  }
}
