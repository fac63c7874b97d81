package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lucene's part, played by maps: operations are buffered, a flush turns the buffer into an
 * immutable file, a merge rewrites files, and a restart finds the last commit and nothing else.
 *
 * <p>INVARIANT: applying an operation again, or an older one of the same document, changes nothing.
 */
final class TwinEngine {

  private static final int FILES_BEFORE_A_MERGE = 5;

  private final TwinDisk disk;
  private final String namePrefix;
  private final boolean idempotent;
  private final Map<String, Operation> newest = new HashMap<>();
  private final Map<String, Operation> buffer = new TreeMap<>();
  private final Map<String, Segment> current = new LinkedHashMap<>();
  private int counter;

  /** Opens what the last commit holds, and deletes what it doesn't. */
  TwinEngine(TwinDisk disk, String namePrefix, boolean idempotent) {
    this.disk = disk;
    this.namePrefix = namePrefix;
    this.idempotent = idempotent;
    TwinDisk.Commit commit = disk.commit;
    disk.files.keySet().retainAll(commit == null ? List.of() : commit.files());
    current.putAll(disk.files);
    newest.putAll(Segment.fold(current.values()));
  }

  Checkpoint committed() {
    TwinDisk.Commit commit = disk.commit;
    return commit == null ? Checkpoint.START : commit.checkpoint();
  }

  void apply(Operation operation) {
    Operation known = newest.get(operation.id());
    if (idempotent && known != null && known.seqNo() >= operation.seqNo()) {
      return;
    }
    newest.put(operation.id(), operation);
    buffer.put(operation.id(), operation);
  }

  Map<String, Operation> state() {
    return newest;
  }

  /** Makes everything applied part of files, and tells which files there are now. */
  List<SegmentFile> flush() {
    if (!buffer.isEmpty()) {
      write(buffer);
      buffer.clear();
    }
    if (current.size() > FILES_BEFORE_A_MERGE) {
      Map<String, Operation> merged = Segment.fold(current.values());
      current.clear();
      write(merged);
    }
    return files();
  }

  private void write(Map<String, Operation> documents) {
    String name = namePrefix + "_" + counter++;
    while (disk.files.containsKey(name)) {
      // The folder was written under this prefix before.
      name = namePrefix + "_" + counter++;
    }
    Segment segment = Segment.of(name, "id-" + name, documents);
    disk.files.put(name, segment);
    current.put(name, segment);
  }

  List<SegmentFile> files() {
    return current.values().stream().map(Segment::identity).toList();
  }

  Map<String, Operation> fileContents() {
    return Segment.fold(current.values());
  }

  void commit(Checkpoint checkpoint) {
    disk.commit = new TwinDisk.Commit(checkpoint, new ArrayList<>(current.keySet()));
  }

  /** Deletes files that neither the engine, nor the commit, nor {@code kept} names. */
  void deleteUnreferenced(Set<String> kept) {
    TwinDisk.Commit commit = disk.commit;
    disk.files
        .keySet()
        .removeIf(name ->
            !current.containsKey(name)
                && !kept.contains(name)
                && (commit == null || !commit.files().contains(name)));
  }
}
