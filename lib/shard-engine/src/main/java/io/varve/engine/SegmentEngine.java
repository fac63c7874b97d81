package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.version.DocumentState;
import io.varve.engine.version.IdLookup;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.rpc.CopySegments;
import io.varve.rpc.GetResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A copy that receives its segments from another copy. The caller puts the files of a manifest into
 * the folder; {@link #install} then makes them visible.
 *
 * <p>The manifest is stored beside the files, so that a restarted copy serves immediately. A file
 * is deleted when neither that manifest nor an open reader names it. Files that were never
 * installed, such as unfinished transfers and files that arrive ahead of their manifest, are kept.
 *
 * <p>A manifest can become visible before its files are local: {@link #prepare}, then {@link
 * #open}. Such a manifest is not stored and does not count as installed. INVARIANT: a visible
 * manifest is never replaced by an older one; an older manifest that is installed in the meantime
 * is stored but not made visible.
 */
public final class SegmentEngine implements SearchableCopy {

  private final EngineConfig config;
  private final Directory directory;
  private final LocalSegments local;
  private final IdLookup ids = new IdLookup();
  private final Meters meters = new Meters();
  private final Warming warming = new Warming(meters);
  private final ReentrantLock installing = new ReentrantLock();
  private final ReaderSlot view;
  private @Nullable DirectoryReader segments;
  private @Nullable RemoteDirectory remote;
  private volatile @Nullable SegmentInfos shownInfos;
  private volatile @Nullable Manifest installed;
  private volatile @Nullable Manifest opened;

  private SegmentEngine(EngineConfig config) throws IOException {
    this.config = config;
    Files.createDirectories(config.directory());
    directory = FSDirectory.open(config.directory());
    local = LocalSegments.open(config.directory(), directory);
    view = new ReaderSlot(new MultiReader(), -1, -1);
    Manifest kept = local.keptManifest();
    // A newer release may have written it, before this node was downgraded to the present one.
    if (kept != null && local.hasAll(kept.files()) && ReadableSegments.obstacle(kept).isEmpty()) {
      show(kept);
    }
  }

  /** Opens the folder's content; damaged files are deleted. */
  public static SegmentEngine open(EngineConfig config) {
    try {
      return new SegmentEngine(config);
    } catch (IOException e) {
      throw new EngineException("can't open " + config.shard() + " in " + config.directory(), e);
    }
  }

  /** The newest manifest whose files are all local, {@code null} before the first. */
  public @Nullable Manifest installed() {
    return installed;
  }

  /** The newest manifest that {@link #sync} made durable, {@code null} before the first. */
  public @Nullable Manifest durable() {
    return local.durableManifest();
  }

  /** The visible manifest if some of its files may be remote, otherwise {@code null}. */
  public @Nullable Manifest opened() {
    return opened;
  }

  /** The visible manifest, {@code null} before the first. */
  public @Nullable Manifest shown() {
    Manifest current = opened;
    return current == null ? installed : current;
  }

  /**
   * Keeps the installed files from being deleted, so that others can read them.
   *
   * @throws IllegalStateException if nothing is installed yet
   */
  public FileReference holdShown() {
    installing.lock();
    try {
      Manifest shown = installed;
      if (shown == null) {
        throw new IllegalStateException(config.shard() + " shows nothing yet");
      }
      local.hold(shown.files());
      return new FileReference(shown, directory, () -> local.release(shown.files()));
    } finally {
      installing.unlock();
    }
  }

  /** The complete files in the folder, with their identities. */
  public List<SegmentFile> localFiles() {
    return local.files();
  }

  /** Whether a file with this name and content is present. */
  public boolean hasFile(SegmentFile file) {
    return local.has(file);
  }

  /**
   * Checks, before any file is fetched, whether this node can read a manifest's segments.
   *
   * @throws UnreadableSegmentsException with the version or the codecs that this node lacks
   */
  public void requireReadable(Manifest manifest) {
    ReadableSegments.require(config.shard(), manifest);
  }

  /** Makes a manifest visible whose files are all local, if the visible one is older. */
  public void install(Manifest manifest) {
    installing.lock();
    long began = meters.refreshes.begin();
    try {
      Manifest before = installed;
      if (before != null && !manifest.isNewerThan(before)) {
        return;
      }
      Manifest current = opened;
      if (current != null && current.isNewerThan(manifest)) {
        keepUnshown(manifest);
      } else {
        showHeld(manifest);
        local.keep(manifest);
      }
    } catch (IOException e) {
      throw new EngineException(
          "can't show generation " + manifest.generation() + " of " + config.shard(), e);
    } finally {
      meters.refreshes.end(began);
      installing.unlock();
    }
  }

  private void keepUnshown(Manifest manifest) throws IOException {
    local.hold(manifest.files());
    try {
      requireAll(manifest);
      local.keep(manifest);
      installed = manifest;
    } finally {
      local.release(manifest.files());
    }
  }

  private void requireAll(Manifest manifest) {
    if (!local.hasAll(manifest.files())) {
      throw new EngineException(
          "files of generation " + manifest.generation() + " are not all in " + config.directory());
    }
  }

  /**
   * Holds the files before a reader is opened over them: another reader that is closed meanwhile
   * deletes all files that nothing holds.
   */
  private void showHeld(Manifest manifest) throws IOException {
    boolean shown = false;
    local.hold(manifest.files());
    try {
      requireAll(manifest);
      show(manifest);
      shown = true;
    } finally {
      if (!shown) {
        local.release(manifest.files());
      }
    }
  }

  /**
   * Opens a reader, which takes over the hold on the files: searches need them until the reader is
   * closed, even after a newer manifest is installed.
   */
  private void show(Manifest manifest) throws IOException {
    SegmentInfos infos = InfosBytes.read(directory, manifest.segmentInfosBytes());
    List<LeafReader> leaves = reusableLeaves(directory, segments, shown(), manifest);
    DirectoryReader reader = StandardDirectoryReader.open(directory, infos, leaves, null, null);
    reader.getReaderCacheHelper().addClosedListener(key -> local.release(manifest.files()));
    DirectoryReader live = new SoftDeletesDirectoryReaderWrapper(reader, MetaFields.SOFT_DELETES);
    warming.warm(live);
    segments = reader;
    shownInfos = infos;
    installed = manifest;
    opened = null;
    view.replace(live, manifest.generation(), manifest.visibleSeqNo());
  }

  /**
   * Opens a reader over files that may be remote; blocks while they are read.
   *
   * @param closed runs when the files are no longer read, even if this method fails
   */
  public RemoteView prepare(Manifest manifest, RemoteFiles files, Runnable closed) {
    DirectoryReader before = null;
    Manifest shown;
    try {
      requireReadable(manifest);
      RemoteDirectory from = remoteDirectory(manifest, files);
      installing.lock();
      try {
        before = segments != null && segments.tryIncRef() ? segments : null;
        shown = shown();
      } finally {
        installing.unlock();
      }
      List<LeafReader> leaves = reusableLeaves(from, before, shown, manifest);
      return RemoteView.open(manifest, from, leaves, closed);
    } catch (IOException | RuntimeException e) {
      closed.run();
      throw new EngineException(
          "can't open generation " + manifest.generation() + " of " + config.shard(), e);
    } finally {
      if (before != null) {
        Closing.release(before);
      }
    }
  }

  /**
   * One directory serves all manifests with the same source of files, because readers can share
   * segments only within one directory.
   */
  private synchronized RemoteDirectory remoteDirectory(Manifest manifest, RemoteFiles files) {
    RemoteDirectory known = remote;
    if (known == null || !known.reads(files)) {
      known = new RemoteDirectory(files);
      remote = known;
    }
    known.add(manifest.files());
    return known;
  }

  /** Makes a prepared view visible; returns false if the visible manifest is not older. */
  public boolean open(RemoteView prepared) {
    installing.lock();
    try {
      Manifest before = shown();
      if (before != null && !prepared.manifest().isNewerThan(before)) {
        return false;
      }
      segments = prepared.segments();
      shownInfos = prepared.infos();
      opened = prepared.manifest();
      view.replace(
          prepared.take(), prepared.manifest().generation(), prepared.manifest().visibleSeqNo());
      return true;
    } finally {
      installing.unlock();
    }
  }

  /**
   * @param before a reader over {@code shown}
   */
  private static List<LeafReader> reusableLeaves(
      Directory from, @Nullable DirectoryReader before, @Nullable Manifest shown, Manifest manifest)
      throws IOException {
    return before == null || shown == null
        ? List.of()
        : SharedLeaves.of(from, before, shown.files(), manifest.files());
  }

  /**
   * Makes the installed files durable, so that a restart need not verify them. Other manifests may
   * be installed concurrently.
   */
  public void sync() {
    long began = meters.commits.begin();
    try {
      local.sync(directory);
    } catch (IOException e) {
      throw new EngineException("can't sync " + config.shard(), e);
    } finally {
      meters.commits.end(began);
    }
  }

  @Override
  public void warmWith(ReaderWarmer warmer) {
    warming.with(warmer);
  }

  @Override
  public SearchView acquireView() {
    return view.acquire();
  }

  @Override
  public @Nullable DocumentState state(String id) {
    return DocumentStates.shown(this, ids, id);
  }

  @Override
  public GetResult get(String id, boolean realtime, Set<String> storedFields) {
    long began = System.nanoTime();
    meters.currentGets.increment();
    boolean found = false;
    try (SearchView reader = acquireView()) {
      DocumentState state = ids.find(reader.searcher().getIndexReader(), id, true);
      if (state == null || state.deleted()) {
        return GetResult.missing(id);
      }
      found = true;
      return state.found(
          id,
          state.source(),
          StoredValues.find(reader.searcher().getIndexReader(), id, storedFields));
    } catch (IOException e) {
      throw new EngineException("can't look up [" + id + "] in " + config.shard(), e);
    } finally {
      meters.got(found, began);
    }
  }

  @Override
  public EngineStats stats() {
    try (SearchView reader = acquireView()) {
      return new EngineStats(
          ReaderStats.contents(reader, reader, 0, 0),
          visibleSeqNo(),
          reader.visibleSeqNo(),
          reader.generation(),
          ReaderStats.commit(shownInfos),
          meters.read());
    }
  }

  /** Reports the visible manifest as the commit, since it is made durable unchanged. */
  @Override
  public CopySegments segments() {
    try (SearchView reader = acquireView()) {
      return ReaderStats.segments(reader, shownInfos);
    }
  }

  @Override
  public SearchMeters searchMeters() {
    return meters.searches;
  }

  @Override
  public long visibleSeqNo() {
    return view.visibleSeqNo();
  }

  @Override
  public long generation() {
    return view.generation();
  }

  @Override
  public void close() {
    installing.lock();
    try {
      local.closing();
      view.close();
      directory.close();
    } catch (IOException e) {
      throw new EngineException("can't close " + config.shard(), e);
    } finally {
      installing.unlock();
    }
  }
}
