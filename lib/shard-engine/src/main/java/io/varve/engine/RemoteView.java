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
 * A reader over a manifest whose files are not all local. Owned by its creator until {@link
 * SegmentEngine#open} installs it; a view that is not installed must be closed.
 */
public final class RemoteView implements AutoCloseable {

  private final Manifest manifest;
  private final SegmentInfos infos;
  private final DirectoryReader segments;
  private final DirectoryReader live;
  private boolean taken;

  private RemoteView(
      Manifest manifest, SegmentInfos infos, DirectoryReader segments, DirectoryReader live) {
    this.manifest = manifest;
    this.infos = infos;
    this.segments = segments;
    this.live = live;
  }

  /**
   * Opens the reader.
   *
   * @param shared segments of the previous reader, which this one keeps open
   * @param closed runs when the reader is closed, not if this method fails
   */
  static RemoteView open(
      Manifest manifest, Directory distant, List<LeafReader> shared, Runnable closed)
      throws IOException {
    SegmentInfos infos = InfosBytes.read(distant, manifest.segmentInfosBytes());
    DirectoryReader segments = StandardDirectoryReader.open(distant, infos, shared, null, null);
    try {
      DirectoryReader live =
          new SoftDeletesDirectoryReaderWrapper(segments, MetaFields.SOFT_DELETES);
      segments.getReaderCacheHelper().addClosedListener(key -> closed.run());
      return new RemoteView(manifest, infos, segments, live);
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

  /** Transfers ownership of the reader to the caller. */
  DirectoryReader take() {
    taken = true;
    return live;
  }

  /** Closes the reader unless it was taken. */
  @Override
  public void close() {
    if (!taken) {
      Closing.release(live);
    }
  }
}
