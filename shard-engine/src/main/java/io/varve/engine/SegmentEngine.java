package io.varve.engine;

import io.varve.engine.version.DocumentState;
import io.varve.engine.version.IdLookup;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.rpc.CopySegments;
import io.varve.rpc.GetResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A copy that is given its segments: somebody else puts the files of a manifest into its folder,
 * then {@link #install} shows them.
 *
 * <p>The manifest shown is kept beside the files, so that a restart serves at once. A file goes
 * when neither that manifest nor an open reader names it. While {@link #install} runs nobody else
 * may put complete files into the folder; unfinished ones under other names are left alone.
 */
public final class SegmentEngine implements SearchableCopy {

  private final EngineConfig config;
  private final Directory directory;
  private final LocalSegments local;
  private final IdLookup ids = new IdLookup();
  private final Meters meters = new Meters();
  private final ReentrantLock installing = new ReentrantLock();
  private final ReaderSlot view;
  private @Nullable DirectoryReader segments;
  private volatile @Nullable SegmentInfos shownInfos;
  private volatile @Nullable Manifest installed;

  private SegmentEngine(EngineConfig config) throws IOException {
    this.config = config;
    Files.createDirectories(config.directory());
    directory = FSDirectory.open(config.directory());
    local = LocalSegments.open(config.directory(), directory);
    view = new ReaderSlot(new MultiReader(), -1, -1);
    Manifest kept = local.keptManifest();
    if (kept != null && local.hasAll(kept.files())) {
      show(kept);
    }
  }

  /** Opens what is in the folder; damaged files are deleted. */
  public static SegmentEngine open(EngineConfig config) {
    try {
      return new SegmentEngine(config);
    } catch (IOException e) {
      throw new EngineException("can't open " + config.shard() + " in " + config.directory(), e);
    }
  }

  /** The manifest that is shown, {@code null} before the first. */
  public @Nullable Manifest installed() {
    return installed;
  }

  /** The complete files in the folder, with their identities. */
  public List<SegmentFile> localFiles() {
    return local.files();
  }

  /** Whether these very bytes are here under this name. */
  public boolean hasFile(SegmentFile file) {
    return local.has(file);
  }

  /**
   * Shows a manifest whose files are all here. One that is not newer than the shown changes
   * nothing.
   */
  public void install(Manifest manifest) {
    installing.lock();
    long began = meters.refreshes.begin();
    try {
      Manifest before = installed;
      if (before != null && !manifest.isNewerThan(before)) {
        return;
      }
      showHeld(manifest);
      local.keep(manifest);
    } catch (IOException e) {
      throw new EngineException(
          "can't show generation " + manifest.generation() + " of " + config.shard(), e);
    } finally {
      meters.refreshes.end(began);
      installing.unlock();
    }
  }

  /**
   * Held before they are looked at: a reader that closes meanwhile takes away what nobody holds.
   */
  private void showHeld(Manifest manifest) throws IOException {
    boolean shown = false;
    local.hold(manifest.files());
    try {
      if (!local.hasAll(manifest.files())) {
        throw new EngineException(
            "files of generation "
                + manifest.generation()
                + " are not all in "
                + config.directory());
      }
      show(manifest);
      shown = true;
    } finally {
      if (!shown) {
        local.release(manifest.files());
      }
    }
  }

  /**
   * The reader, not the manifest, says how long a search needs the files: it takes over the hold.
   */
  private void show(Manifest manifest) throws IOException {
    SegmentInfos infos = InfosBytes.read(directory, manifest.segmentInfosBytes());
    DirectoryReader opened =
        StandardDirectoryReader.open(directory, infos, reusableLeaves(manifest), null, null);
    opened.getReaderCacheHelper().addClosedListener(key -> local.release(manifest.files()));
    DirectoryReader live = new SoftDeletesDirectoryReaderWrapper(opened, MetaFields.SOFT_DELETES);
    segments = opened;
    shownInfos = infos;
    installed = manifest;
    view.replace(live, manifest.generation(), manifest.visibleSeqNo());
  }

  /** Segments are shared with the reader before, unless their files have other bytes now. */
  private List<LeafReader> reusableLeaves(Manifest manifest) throws IOException {
    DirectoryReader before = segments;
    Manifest shown = installed;
    if (before == null || shown == null) {
      return List.of();
    }
    Set<SegmentFile> same = new HashSet<>(shown.files());
    Set<String> changed = new HashSet<>();
    for (SegmentFile file : manifest.files()) {
      if (!same.contains(file)) {
        changed.add(file.name());
      }
    }
    List<LeafReader> leaves = new ArrayList<>();
    for (LeafReaderContext leaf : before.leaves()) {
      SegmentReader segment = (SegmentReader) leaf.reader();
      if (segment.getSegmentInfo().files().stream().noneMatch(changed::contains)) {
        leaves.add(segment);
      }
    }
    return leaves;
  }

  /** Makes the shown files durable: after this a restart trusts them without reading them. */
  public void sync() {
    installing.lock();
    long began = meters.commits.begin();
    try {
      local.sync(directory);
    } catch (IOException e) {
      throw new EngineException("can't sync " + config.shard(), e);
    } finally {
      meters.commits.end(began);
      installing.unlock();
    }
  }

  @Override
  public SearchView acquireView() {
    return view.acquire();
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
      return new GetResult(
          true,
          id,
          state.routing(),
          state.version(),
          state.seqNo(),
          state.term(),
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

  /** Here a commit is what is shown: it is made durable as it is. */
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
