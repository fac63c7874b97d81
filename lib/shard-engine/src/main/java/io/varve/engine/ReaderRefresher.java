package io.varve.engine;

import io.varve.engine.version.VersionMap;
import io.varve.rpc.CopyStats;
import java.io.IOException;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StandardDirectoryReader;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the two readers of a writing copy: <em>lookup</em> for versions and realtime gets, and
 * <em>view</em> for searches.
 *
 * <p>The lookup reader may be newer: it is also refreshed when the version map has grown too large,
 * without changing what searches see.
 */
final class ReaderRefresher implements AutoCloseable {

  private static final long VERSION_MAP_LIMIT_BYTES = 64L << 20;

  private final EngineConfig config;
  private final VersionMap versions;
  private final Meters meters;
  private final Warming warming;
  private final FlushDirectory directory;
  private final SegmentFiles segmentFiles;
  private final ReentrantLock refreshing = new ReentrantLock();
  private final ReaderSlot lookup;
  private final ReaderSlot view;
  private @Nullable Snapshot newest;
  private volatile CopyStats.Commit published = CopyStats.Commit.NONE;

  private ReaderRefresher(
      EngineConfig config,
      FlushDirectory directory,
      IndexWriter writer,
      VersionMap versions,
      Meters meters,
      long visibleSeqNo)
      throws IOException {
    this.config = config;
    this.versions = versions;
    this.meters = meters;
    this.warming = new Warming(meters);
    this.directory = directory;
    segmentFiles = new SegmentFiles(directory);
    // Deletes must be written to files as well, so that copies that fetch the files see them.
    DirectoryReader reader = DirectoryReader.open(writer, true, true);
    lookup = new ReaderSlot(reader, 0, -1);
    reader.incRef();
    view = new ReaderSlot(reader, 0, visibleSeqNo);
  }

  /** Closes writer and directory on failure, since the writer holds the folder's lock. */
  static ReaderRefresher open(
      EngineConfig config,
      FlushDirectory directory,
      IndexWriter writer,
      VersionMap versions,
      Meters meters,
      long visibleSeqNo)
      throws IOException {
    try {
      return new ReaderRefresher(config, directory, writer, versions, meters, visibleSeqNo);
    } catch (IOException | RuntimeException | Error e) {
      writer.rollback();
      directory.close();
      throw e;
    }
  }

  Warming warming() {
    return warming;
  }

  ReaderSlot lookup() {
    return lookup;
  }

  ReaderSlot view() {
    return view;
  }

  /**
   * Makes all applied operations visible to searches.
   *
   * @param maxSeqNo an upper bound of the seq_nos that were written before it is read
   * @return the snapshot for other copies, or {@code null} if nothing has changed
   */
  @SuppressWarnings("ReferenceEquality") // the same reader, not an equal one
  @Nullable Snapshot refresh(Checkpoint checkpoint, LongSupplier maxSeqNo) throws IOException {
    refreshing.lock();
    long began = meters.refreshes.begin();
    try {
      refreshLookup();
      DirectoryReader reader = (DirectoryReader) lookup.reader();
      long visibleSeqNo = Math.max(checkpoint.visibleSeqNo(), view.visibleSeqNo());
      if (newest != null && reader == view.reader() && visibleSeqNo == view.visibleSeqNo()) {
        return null;
      }
      Snapshot.Point point =
          new Snapshot.Point(checkpoint, view.generation() + 1, maxSeqNo.getAsLong());
      Snapshot snapshot = snapshot(reader, point);
      warming.warm(reader);
      reader.incRef();
      view.replace(reader, snapshot.generation(), visibleSeqNo);
      Snapshot before = newest;
      newest = snapshot;
      if (before != null) {
        before.close();
      }
      return snapshot.acquire();
    } finally {
      meters.refreshes.end(began);
      refreshing.unlock();
    }
  }

  /** The newest snapshot, acquired for the caller, or {@code null} before the first refresh. */
  @Nullable Snapshot newest() {
    refreshing.lock();
    try {
      return newest == null ? null : newest.acquire();
    } finally {
      refreshing.unlock();
    }
  }

  /** The newest snapshot in the form of a commit, because copies that fetch it store it as one. */
  CopyStats.Commit published() {
    return published;
  }

  /** Shrinks a large version map, unless a refresh is already running. */
  void limitVersionMap() throws IOException {
    if (versions.sizeBytes() > VERSION_MAP_LIMIT_BYTES && refreshing.tryLock()) {
      long began = meters.lookupRefreshes.begin();
      try {
        refreshLookup();
      } finally {
        meters.lookupRefreshes.end(began);
        refreshing.unlock();
      }
    }
  }

  /**
   * Refreshes the lookup reader, so that documents in the version map are from now on looked up in
   * segments.
   */
  void refreshLookupNow() throws IOException {
    refreshing.lock();
    long began = meters.lookupRefreshes.begin();
    try {
      refreshLookup();
    } finally {
      meters.lookupRefreshes.end(began);
      refreshing.unlock();
    }
  }

  /**
   * Reads the documents that the lookup reader has.
   *
   * @param refreshed whether all documents that are applied now must be among them
   */
  <T> T read(boolean refreshed, ReaderFunction<T> reading) throws IOException {
    if (refreshed) {
      refreshLookupNow();
    }
    try (SearchView view = lookup().acquire()) {
      return reading.from(view.searcher().getIndexReader());
    }
  }

  private void refreshLookup() throws IOException {
    versions.beforeRefresh();
    DirectoryReader changed = DirectoryReader.openIfChanged((DirectoryReader) lookup.reader());
    if (changed != null) {
      lookup.replace(changed, 0, -1);
    }
    versions.afterRefresh();
  }

  private Snapshot snapshot(DirectoryReader reader, Snapshot.Point point) throws IOException {
    SegmentInfos infos = ((StandardDirectoryReader) reader).getSegmentInfos();
    Collection<String> names = infos.files(false);
    directory.toDisk(names);
    byte[] infosBytes = InfosBytes.write(infos);
    Snapshot snapshot =
        new Snapshot(config.directory(), reader, segmentFiles.identify(names), infosBytes, point);
    reader.incRef();
    published =
        new CopyStats.Commit(
            Base64.getEncoder().encodeToString(InfosBytes.id(infosBytes)),
            point.generation(),
            Map.of(),
            reader.numDocs());
    return snapshot;
  }

  @Override
  public void close() {
    refreshing.lock();
    try {
      if (newest != null) {
        newest.close();
        newest = null;
      }
      view.close();
      lookup.close();
    } finally {
      refreshing.unlock();
    }
  }
}
