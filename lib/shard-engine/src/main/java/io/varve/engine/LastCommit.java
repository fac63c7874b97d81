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
 * What the newest commit of a writer holds: its checkpoint, the data that it carries, its files.
 * Before there is one: {@link Checkpoint#NONE}, no data, no files.
 *
 * <p>Read by any thread. Written by one at a time, which the engine sees to. Data come before the
 * checkpoint and that before the files, so that who sees a checkpoint sees at least its data.
 */
final class LastCommit {

  private final Directory directory;
  private volatile Map<String, String> data = Map.of();
  private volatile Checkpoint checkpoint = Checkpoint.NONE;
  private volatile @Nullable SegmentInfos infos;

  LastCommit(Directory directory) {
    this.directory = directory;
  }

  /** Takes what the writer found when it was opened. */
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

  /** Commits if that would say anything new; returns whether it did. */
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
