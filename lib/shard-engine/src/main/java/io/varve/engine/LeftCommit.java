package io.varve.engine;

import io.varve.codec.SegmentCodecs;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Passes a folder from a writer to a copy that receives its segments: the last commit becomes the
 * kept manifest. The reverse is {@link LocalSegments#handOver}.
 *
 * <p>With generation 0, that manifest is older than each one that was published in its term.
 */
public final class LeftCommit {

  private LeftCommit() {}

  /**
   * The manifest is durable when this returns. Nothing is changed if it returns false: the folder
   * has no commit with accepted records, or a manifest that supersedes it.
   *
   * @param folder is not open for writing
   * @throws IOException if a file of the commit is missing or damaged; nothing is changed
   */
  public static boolean keep(Path folder, ShardId shard, String nodeId, long nowMillis)
      throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      if (LocalSegments.keptIn(folder) != null || !DirectoryReader.indexExists(directory)) {
        return false;
      }
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      Checkpoint reached = Checkpoint.ofCommitData(infos.getUserData());
      if (reached.fenceTerm() == 0) {
        return false;
      }
      List<SegmentFile> files = new ArrayList<>();
      for (String name : infos.files(false)) {
        files.add(SegmentFiles.readAndVerify(directory, name));
      }
      LocalSegments.keepDurable(
          folder, directory, manifest(shard, nodeId, nowMillis, infos, reached, files));
      return true;
    }
  }

  private static Manifest manifest(
      ShardId shard,
      String nodeId,
      long nowMillis,
      SegmentInfos infos,
      Checkpoint reached,
      List<SegmentFile> files)
      throws IOException {
    Map<String, String> data = new HashMap<>(infos.getUserData());
    data.put(Snapshot.CODECS, SegmentCodecs.names(infos));
    return new Manifest(
        shard,
        nodeId,
        reached.fenceTerm(),
        0,
        reached.nextOffset(),
        reached.nextSeqNo(),
        reached.fenceTerm(),
        reached.visibleSeqNo(),
        files,
        Base64.getEncoder().encodeToString(InfosBytes.write(infos)),
        data,
        nowMillis);
  }
}
