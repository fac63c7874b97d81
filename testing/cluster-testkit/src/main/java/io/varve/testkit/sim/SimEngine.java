package io.varve.testkit.sim;

import io.varve.engine.DocumentParser;
import io.varve.engine.MappingSource;
import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.WritableCopy;
import io.varve.engine.WriteDecisions;
import io.varve.engine.version.DocumentState;
import io.varve.engine.version.VersionMap;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import io.varve.rpc.WriteItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for Lucene with maps: operations are buffered, a flush turns the buffer into an
 * immutable file, a merge rewrites files, and a restart finds only the last commit. Documents are
 * parsed and writes are resolved by production's {@link DocumentParser}, {@link WriteDecisions} and
 * {@link VersionMap}.
 *
 * <p>INVARIANT: applying an operation again, or an older one of the same document, changes nothing.
 */
final class SimEngine implements WritableCopy {

  private static final int FILES_BEFORE_A_MERGE = 5;

  private final World world;
  private final SimDisk disk;
  private final String namePrefix;
  private final DocumentParser parser;
  private final WriteDecisions decisions;
  private final VersionMap versions = new VersionMap();
  private final Map<String, Operation> newest = new HashMap<>();
  private final Map<String, Operation> buffer = new TreeMap<>();
  private final Map<String, Segment> current = new LinkedHashMap<>();
  private Map<String, Operation> reader;
  private int counter;

  /** Opens the last commit, and deletes files that it does not include. */
  SimEngine(World world, SimDisk disk, String namePrefix, MappingSource mappings) {
    this.world = world;
    this.disk = disk;
    this.namePrefix = namePrefix;
    this.parser = new DocumentParser(mappings, Map.of());
    this.decisions = new WriteDecisions(parser, (id, _) -> state(id));
    SimDisk.Commit commit = disk.commit;
    disk.files.keySet().retainAll(commit == null ? List.of() : commit.files());
    current.putAll(disk.files);
    reader = fileContents();
    newest.putAll(reader);
  }

  AppliedPosition committed() {
    SimDisk.Commit commit = disk.commit;
    return commit == null ? AppliedPosition.START : commit.checkpoint();
  }

  /** The user data of the last commit. */
  Map<String, String> committedData() {
    SimDisk.Commit commit = disk.commit;
    return commit == null ? Map.of() : commit.data();
  }

  Parsed parse(WriteItem item) {
    return switch (item.kind()) {
      case INDEX, CREATE -> parser.parse(item.id(), item.bodyBytes());
      case UPDATE, DELETE -> new Parsed.Later();
    };
  }

  @Override
  public Resolution resolve(WriteItem item, Parsed parsed) {
    return decisions.resolve(item, parsed);
  }

  /** The newest state: of the operations in flight, then of recent ones, then of the reader. */
  private @Nullable DocumentState state(String id) {
    DocumentState known =
        world.mutated(Mutation.RESOLVE_WITHOUT_WHAT_IS_IN_FLIGHT)
            ? versions.applied(id)
            : versions.newest(id);
    Operation shown = reader.get(id);
    return known == null && shown != null ? state(shown) : known;
  }

  /** The newest applied state, which may be a tombstone. */
  @Nullable DocumentState applied(String id) {
    Operation applied = newest.get(id);
    return applied == null ? null : state(applied);
  }

  static DocumentState state(Operation operation) {
    return new DocumentState(
        operation.seqNo(),
        operation.term(),
        operation.version(),
        operation.isDelete(),
        operation.source(),
        operation.routing());
  }

  @Override
  public void inFlight(Operation operation) {
    versions.appended(operation.id(), state(operation));
  }

  @Override
  public boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided) {
    String id = operation.id();
    Operation known = newest.get(id);
    boolean applied = known != null && known.seqNo() >= operation.seqNo();
    if (decided == null && applied && !world.mutated(Mutation.APPLY_IS_NOT_IDEMPOTENT)) {
      versions.settled(id, operation.seqNo());
      return false;
    }
    newest.put(id, operation);
    buffer.put(id, operation);
    versions.applied(id, state(operation));
    return true;
  }

  /** The newest applied operation of each document. */
  Map<String, Operation> state() {
    return newest;
  }

  /** An upper bound of the seq_nos in the files; -1 for none. */
  long maxSeqNo() {
    long stated =
        Long.parseLong(committedData().getOrDefault(Manifest.MAX_SEQ_NO, Long.toString(-1)));
    return newest.values().stream().mapToLong(Operation::seqNo).reduce(stated, Math::max);
  }

  /** Flushes everything applied into files, and returns all current files. */
  List<SegmentFile> flush() {
    versions.beforeRefresh();
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

  /** Makes look-ups by id see these files from now on. */
  void shown(Map<String, Operation> contents) {
    reader = contents;
    versions.afterRefresh();
  }

  private void write(Map<String, Operation> documents) {
    String name = namePrefix + "_" + counter++;
    while (disk.files.containsKey(name)) {
      // Names with this prefix may exist in the folder already.
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

  void commit(AppliedPosition checkpoint, Map<String, String> data) {
    disk.commit = new SimDisk.Commit(checkpoint, new ArrayList<>(current.keySet()), data);
  }

  /**
   * Deletes files that are referenced neither by the engine, nor by the commit, nor by {@code
   * kept}.
   */
  void deleteUnreferenced(Set<String> kept) {
    SimDisk.Commit commit = disk.commit;
    disk.files
        .keySet()
        .removeIf(name ->
            !current.containsKey(name)
                && !kept.contains(name)
                && (commit == null || !commit.files().contains(name)));
  }
}
