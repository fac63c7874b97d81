package io.varve.replication.replica;

import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.store.CopyFolder;
import io.varve.store.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that rounds have fetched into the folder of a segment replica and that no installed
 * manifest names yet.
 *
 * <p>The engine does not know these files, so it does not delete them: they are deleted here if the
 * next manifest that is installed does not name them. If a file can't be deleted, its deletion is
 * retried after the next installation.
 */
final class ArrivedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(ArrivedFiles.class);

  private final ShardId shard;
  private final CopyFolder folder;
  private final SegmentEngine engine;
  private final MergedArrivals merged;
  private final Map<String, SegmentFile> files = new ConcurrentHashMap<>();

  /**
   * @param merged the files that arrived ahead of their manifest
   */
  ArrivedFiles(ShardId shard, CopyFolder folder, SegmentEngine engine, MergedArrivals merged) {
    this.shard = shard;
    this.folder = folder;
    this.engine = engine;
    this.merged = merged;
  }

  void add(Collection<SegmentFile> arrived) {
    arrived.forEach(file -> files.put(file.name(), file));
  }

  boolean contains(String name) {
    return files.containsKey(name);
  }

  /** Everything that need not be fetched: the engine's files, and arrivals of any kind. */
  LocalFiles localFiles() throws IOException {
    List<SegmentFile> here = new ArrayList<>();
    for (SegmentFile file : engine.localFiles()) {
      if (!contains(file.name()) && engine.hasFile(file)) {
        here.add(file);
      }
    }
    List<SegmentFile> ahead = new ArrayList<>(files.values());
    ahead.addAll(merged.arrived());
    for (SegmentFile file : ahead) {
      Path path = folder.directory().resolve(file.name());
      if (Files.exists(path) && Files.size(path) == file.lengthBytes() && !folder.isUnnamed(file)) {
        here.add(file);
      }
    }
    return new LocalFiles(here, folder.partialBytes());
  }

  /** Deletes the files and unfinished transfers that only superseded or failed rounds needed. */
  void installed(Manifest manifest) {
    Set<String> named =
        manifest.files().stream().map(SegmentFile::name).collect(Collectors.toUnmodifiableSet());
    files.keySet().removeIf(name -> named.contains(name) || delete(name));
    try {
      folder.deletePartialsExcept(merged::underWay);
    } catch (IOException e) {
      LOG.warn("{} can't delete unfinished transfers", shard, e);
    }
  }

  private boolean delete(String name) {
    try {
      Files.deleteIfExists(folder.directory().resolve(name));
      return true;
    } catch (IOException e) {
      LOG.warn("{} can't delete {}", shard, name, e);
      return false;
    }
  }
}
