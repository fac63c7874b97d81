package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import io.varve.events.Manifest;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.store.Directory;

/**
 * A reader over a manifest whose files are not all here. It is nobody's until {@link
 * SegmentEngine#open} shows it; one that was not shown is closed.
 */
public final class DistantView implements AutoCloseable {

  private final Manifest manifest;
  private final SegmentInfos infos;
  private final DirectoryReader segments;
  private final DirectoryReader live;
  private boolean taken;

  private DistantView(
      Manifest manifest, SegmentInfos infos, DirectoryReader segments, DirectoryReader live) {
    this.manifest = manifest;
    this.infos = infos;
    this.segments = segments;
    this.live = live;
  }

  /**
   * Opens the reader.
   *
   * @param shared segments of the reader before, which it keeps open
   * @param closed called when the reader is closed, not when this fails
   */
  static DistantView open(
      Manifest manifest, Directory distant, List<LeafReader> shared, Runnable closed)
      throws IOException {
    SegmentInfos infos = InfosBytes.read(distant, manifest.segmentInfosBytes());
    DirectoryReader segments = StandardDirectoryReader.open(distant, infos, shared, null, null);
    try {
      DirectoryReader live =
          new SoftDeletesDirectoryReaderWrapper(segments, MetaFields.SOFT_DELETES);
      segments.getReaderCacheHelper().addClosedListener(key -> closed.run());
      return new DistantView(manifest, infos, segments, live);
    } catch (IOException | RuntimeException e) {
      Closing.release(segments);
      throw e;
    }
  }

  Manifest manifest() {
    return manifest;
  }

  SegmentInfos infos() {
    return infos;
  }

  DirectoryReader segments() {
    return segments;
  }

  /** What searches see; whoever takes it closes it. */
  DirectoryReader take() {
    taken = true;
    return live;
  }

  /** Unless it was taken. */
  @Override
  public void close() {
    if (!taken) {
      Closing.release(live);
    }
  }
}
