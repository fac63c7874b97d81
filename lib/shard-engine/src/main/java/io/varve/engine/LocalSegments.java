package io.varve.engine;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StandardDirectoryReader;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * The segment files in a folder: which are present, which are in use, and which are durable.
 *
 * <p>A folder belongs either to a writer, whose commits define its content, or to a copy that
 * receives its segments, whose kept manifest defines it. A kept manifest supersedes earlier commits
 * of a writer; {@link #handOver} turns the manifest into a commit.
 *
 * <p>INVARIANT: a file is deleted only if no reader holds it and the kept manifest does not name
 * it.
 */
final class LocalSegments {

  private static final System.Logger LOG = System.getLogger(LocalSegments.class.getName());
  private static final String KEPT = "manifest.json";
  private static final String COMMIT = "segments_";

  /**
   * Content of the file in which the folder keeps its manifest.
   *
   * @param synced names of files that are durable
   */
  private record Kept(Manifest manifest, List<String> synced) {}

  private final Path folder;
  private final Directory directory;
  private final Map<String, SegmentFile> files = new HashMap<>();
  private final Map<String, Integer> holders = new HashMap<>();
  private final Set<String> synced = new HashSet<>();
  private @Nullable Manifest kept;
  private @Nullable Manifest durable;
  private boolean closing;

  private LocalSegments(Path folder, Directory directory) {
    this.folder = folder;
    this.directory = directory;
  }

  static LocalSegments open(Path folder, Directory directory) throws IOException {
    LocalSegments local = new LocalSegments(folder, directory);
    local.readKept();
    local.readFiles();
    return local;
  }

  private void readKept() throws IOException {
    Path path = folder.resolve(KEPT);
    if (Files.exists(path)) {
      try {
        Kept read = Json.read(Files.readAllBytes(path), Kept.class);
        kept = read.manifest();
        synced.addAll(read.synced());
      } catch (MalformedRecordException e) {
        // Power was lost before the file was durable: start from the segment files alone.
        warn(KEPT + " can't be read", e);
      }
    }
  }

  private void readFiles() throws IOException {
    List<String> names;
    try (Stream<Path> paths = Files.list(folder)) {
      names = paths.map(path -> path.getFileName().toString()).filter(n -> isSegment(n)).toList();
    }
    for (String name : names) {
      try {
        files.put(
            name,
            synced.contains(name)
                ? SegmentFiles.read(directory, name)
                : SegmentFiles.readAndVerify(directory, name));
      } catch (IOException e) {
        warn(name + " is corrupt and will be fetched again", e);
        Files.deleteIfExists(folder.resolve(name));
      }
    }
  }

  private static boolean isSegment(String name) {
    return name.startsWith("_");
  }

  /** The kept manifest of a folder, without checking its files. */
  static @Nullable Manifest keptIn(Path folder) throws IOException {
    Path path = folder.resolve(KEPT);
    return Files.exists(path) ? Json.read(Files.readAllBytes(path), Kept.class).manifest() : null;
  }

  synchronized @Nullable Manifest keptManifest() {
    return kept;
  }

  synchronized List<SegmentFile> files() {
    return List.copyOf(files.values());
  }

  synchronized boolean has(SegmentFile file) {
    SegmentFile here = files.get(file.name());
    if (here != null && here.sameContent(file)) {
      return true;
    }
    if (!Files.exists(folder.resolve(file.name()))) {
      return false;
    }
    try {
      SegmentFile read = SegmentFiles.read(directory, file.name());
      files.put(file.name(), read);
      synced.remove(file.name());
      return read.sameContent(file);
    } catch (IOException e) {
      warn(file.name() + " can't be read", e);
      return false;
    }
  }

  synchronized boolean hasAll(Collection<SegmentFile> wanted) {
    return wanted.stream().allMatch(this::has);
  }

  synchronized void hold(Collection<SegmentFile> held) {
    held.forEach(file -> holders.merge(file.name(), 1, Integer::sum));
  }

  synchronized void release(Collection<SegmentFile> held) {
    for (SegmentFile file : held) {
      holders.computeIfPresent(file.name(), (name, count) -> count == 1 ? null : count - 1);
    }
    sweep();
  }

  /**
   * Sets the manifest to start from after a restart; files named only by earlier ones may be
   * deleted.
   */
  synchronized void keep(Manifest manifest) throws IOException {
    boolean first = kept == null;
    kept = manifest;
    write();
    if (first) {
      deleteCommits();
    }
    sweep();
  }

  /**
   * Hands the folder over to a writer: the kept manifest becomes its last commit. Without a usable
   * manifest the writer starts empty. If interrupted, the manifest remains and the handover is
   * repeated.
   *
   * @throws UnreadableSegmentsException if a newer release wrote the manifest; nothing is changed
   */
  static void handOver(Path folder, Directory directory) throws IOException {
    if (!Files.exists(folder.resolve(KEPT))) {
      return;
    }
    LocalSegments local = open(folder, directory);
    Manifest manifest = local.keptManifest();
    if (manifest != null) {
      ReadableSegments.require(manifest.shard(), manifest);
    }
    local.deleteCommits();
    if (manifest != null && local.hasAll(manifest.files())) {
      local.sync(directory);
      SegmentInfos infos = InfosBytes.read(directory, manifest.segmentInfosBytes());
      infos.setUserData(
          Checkpoint.commitData(manifest, maxSeqNo(manifest, directory, infos)), false);
      infos.commit(directory);
    } else {
      local.warn("the kept manifest can't be used, replaying the whole log", null);
    }
    Files.delete(folder.resolve(KEPT));
    directory.syncMetaData();
  }

  /** Keeps a manifest whose files are all durable; commits are deleted once it is durable too. */
  static void keepDurable(Path folder, Directory directory, Manifest manifest) throws IOException {
    LocalSegments local = new LocalSegments(folder, directory);
    manifest.files().forEach(file -> local.synced.add(file.name()));
    local.kept = manifest;
    local.write();
    local.force();
    local.deleteCommits();
  }

  /** A primary of release 0.1 does not state the highest seq_no: it is read from the files. */
  private static long maxSeqNo(Manifest manifest, Directory directory, SegmentInfos infos)
      throws IOException {
    OptionalLong stated = manifest.maxSeqNo();
    if (stated.isPresent()) {
      return stated.getAsLong();
    }
    try (DirectoryReader reader =
        StandardDirectoryReader.open(directory, infos, List.of(), null, null)) {
      return SeqNoWindow.highest(reader);
    }
  }

  private void deleteCommits() throws IOException {
    for (String name : directory.listAll()) {
      if (name.startsWith(COMMIT) || name.startsWith("pending_" + COMMIT)) {
        directory.deleteFile(name);
      }
    }
  }

  /**
   * Stops deleting files: readers that are closed from now on are closed because the copy is
   * closing, not because their files are obsolete.
   */
  synchronized void closing() {
    closing = true;
  }

  private void sweep() {
    Manifest manifest = kept;
    if (closing || manifest == null) {
      return;
    }
    Set<String> needed = new HashSet<>(holders.keySet());
    manifest.files().forEach(file -> needed.add(file.name()));
    for (String name : List.copyOf(files.keySet())) {
      if (!needed.contains(name)) {
        delete(name);
      }
    }
  }

  private void delete(String name) {
    try {
      Files.deleteIfExists(folder.resolve(name));
      files.remove(name);
      synced.remove(name);
    } catch (IOException e) {
      // The file remains known, so the next sweep retries.
      warn("can't delete " + name, e);
    }
  }

  /** The newest manifest that {@link #sync} made durable, {@code null} before the first. */
  synchronized @Nullable Manifest durableManifest() {
    return durable;
  }

  private synchronized void durable(Manifest manifest) {
    durable = manifest;
  }

  /** Makes the kept manifest durable. The lock is not held while syncing. */
  void sync(Directory target) throws IOException {
    List<SegmentFile> unsynced;
    Manifest syncing;
    synchronized (this) {
      syncing = kept;
      if (syncing == null) {
        return;
      }
      unsynced = syncing.files().stream().filter(file -> !synced.contains(file.name())).toList();
      hold(unsynced);
    }
    try {
      target.sync(unsynced.stream().map(SegmentFile::name).toList());
      synced(unsynced);
    } finally {
      release(unsynced);
    }
    force();
    durable(syncing);
  }

  private void force() throws IOException {
    try (FileChannel channel = FileChannel.open(folder.resolve(KEPT), StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    directory.syncMetaData();
  }

  /** Records durable files whose names still refer to the same content. */
  private synchronized void synced(List<SegmentFile> durable) throws IOException {
    for (SegmentFile file : durable) {
      SegmentFile here = files.get(file.name());
      if (here != null && here.sameContent(file)) {
        synced.add(file.name());
      }
    }
    write();
  }

  private void write() throws IOException {
    Manifest manifest = kept;
    if (manifest == null) {
      return;
    }
    Path temporary = folder.resolve(KEPT + ".tmp");
    Files.write(temporary, Json.write(new Kept(manifest, List.copyOf(synced))));
    Files.move(temporary, folder.resolve(KEPT), StandardCopyOption.ATOMIC_MOVE);
  }

  private void warn(String message, @Nullable Exception cause) {
    LOG.log(System.Logger.Level.WARNING, folder + ": " + message, cause);
  }
}
