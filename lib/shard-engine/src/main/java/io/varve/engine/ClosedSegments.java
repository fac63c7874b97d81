package io.varve.engine;

import io.varve.events.Manifest;
import io.varve.rpc.CopySegments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/** Reads the segments in the folder of a copy, without opening it. */
public final class ClosedSegments {

  private ClosedSegments() {}

  /** The segments of the last commit, or of the kept manifest. */
  public static CopySegments read(Path folder) {
    if (!Files.isDirectory(folder)) {
      return new CopySegments(List.of());
    }
    try (Directory directory = FSDirectory.open(folder)) {
      SegmentInfos infos = infos(folder, directory);
      List<CopySegments.Segment> segments = new ArrayList<>();
      if (infos != null) {
        for (SegmentCommitInfo info : infos) {
          int deleted = info.getDelCount() + info.getSoftDelCount();
          segments.add(
              ReaderStats.segment(info, info.info.maxDoc() - deleted, deleted, true, false));
        }
      }
      return new CopySegments(segments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The checkpoint with which a copy in this folder would open, {@link Checkpoint#NONE} if the
   * folder is empty.
   */
  public static Checkpoint checkpoint(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Checkpoint.NONE;
    }
    try (Directory directory = FSDirectory.open(folder)) {
      // A kept manifest supersedes the commits before it.
      Manifest kept = LocalSegments.keptIn(folder);
      if (kept != null) {
        return Checkpoint.of(kept);
      }
      return DirectoryReader.indexExists(directory)
          ? Checkpoint.ofCommitData(SegmentInfos.readLatestCommit(directory).getUserData())
          : Checkpoint.NONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Hard-links the files of the last commit into another folder on the same disk, which is created,
   * and returns the checkpoint of the commit. The copy may be open if nothing else commits.
   */
  public static Checkpoint linkLastCommit(Path folder, Path target) throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      Files.createDirectories(target);
      for (String file : infos.files(true)) {
        Files.createLink(target.resolve(file), folder.resolve(file));
      }
      return Checkpoint.ofCommitData(infos.getUserData());
    }
  }

  private static @Nullable SegmentInfos infos(Path folder, Directory directory) throws IOException {
    if (DirectoryReader.indexExists(directory)) {
      return SegmentInfos.readLatestCommit(directory);
    }
    Manifest kept = LocalSegments.keptIn(folder);
    return kept == null ? null : InfosBytes.read(directory, kept.segmentInfosBytes());
  }
}
