package io.varve.engine;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An engine with its log and a mapping that grows with its documents, all on one thread. */
final class EngineFixture implements AutoCloseable {

  static final ShardId SHARD = new ShardId("index-uuid", 0);

  final Path directory;
  final List<Operation> log = new ArrayList<>();
  private final long term;
  private final Map<String, String> settings;
  private MappingSource.Versioned mapping;
  ShardEngine engine;

  EngineFixture(Path directory) {
    this(directory, "{}");
  }

  EngineFixture(Path directory, String mapping) {
    this(directory, mapping, 1);
  }

  EngineFixture(Path directory, String mapping, long term) {
    this(directory, mapping, term, Map.of());
  }

  EngineFixture(Path directory, String mapping, long term, Map<String, String> settings) {
    this.directory = directory;
    this.term = term;
    this.settings = settings;
    this.mapping = new MappingSource.Versioned(1, mapping);
    engine = open();
  }

  private ShardEngine open() {
    return ShardEngine.open(new EngineConfig(SHARD, directory, term, settings), () -> mapping);
  }

  /** Closes the engine without a commit, reopens it and replays from the last commit. */
  void restart() {
    engine.close();
    engine = open();
    for (int i = (int) engine.committed().nextOffset(); i < log.size(); i++) {
      engine.apply(i, log.get(i), null);
    }
  }

  Checkpoint checkpoint() {
    return new Checkpoint(log.size(), log.size(), term, log.size() - 1);
  }

  /** Refreshes and discards the snapshot. */
  void refresh() {
    Snapshot snapshot = engine.refresh(checkpoint());
    if (snapshot != null) {
      snapshot.close();
    }
  }

  WriteResult index(String id, String source) {
    return write(item(WriteItem.Kind.INDEX, id, source));
  }

  WriteResult delete(String id) {
    return write(item(WriteItem.Kind.DELETE, id, ""));
  }

  WriteResult update(String id, String body) {
    return write(item(WriteItem.Kind.UPDATE, id, body));
  }

  WriteResult write(WriteItem item) {
    Pending pending = append(item);
    if (pending.operation != null) {
      engine.apply(log.size() - 1, pending.operation, pending.append);
    }
    return pending.result;
  }

  record Pending(
      WriteResult result, @Nullable Operation operation, Resolution.@Nullable Append append) {}

  /** Resolves and appends; the caller applies. */
  Pending append(WriteItem item) {
    return switch (engine.resolve(item, engine.parse(item))) {
      case Resolution.Append append -> appended(item, append);
      case Resolution.Noop noop -> new Pending(noop.result(), null, null);
      case Resolution.Rejected rejected ->
          new Pending(new WriteResult.Failed(rejected.error()), null, null);
      case Resolution.NeedsMapping needed -> {
        switch (Mapping.parse(mapping.json()).merge(needed.properties())) {
          case Mapping.Merge.Merged merged ->
              mapping =
                  new MappingSource.Versioned(mapping.version() + 1, merged.mapping().toJson());
          case Mapping.Merge.Refused refused -> {
            yield new Pending(new WriteResult.Failed(refused.error()), null, null);
          }
        }
        yield append(item);
      }
    };
  }

  private Pending appended(WriteItem item, Resolution.Append append) {
    Operation operation =
        new Operation(
            term,
            log.size(),
            append.version(),
            append.mappingVersion(),
            item.id(),
            append.routing(),
            append.source(),
            null);
    log.add(operation);
    engine.inFlight(operation);
    return new Pending(
        new WriteResult.Done(append.result(), operation.seqNo(), term, append.version()),
        operation,
        append);
  }

  String mappingJson() {
    return mapping.json();
  }

  Manifest manifest(Snapshot snapshot) {
    Checkpoint checkpoint = snapshot.checkpoint();
    return new Manifest(
        SHARD,
        "node",
        term,
        snapshot.generation(),
        checkpoint.nextOffset(),
        checkpoint.nextSeqNo(),
        checkpoint.fenceTerm(),
        checkpoint.visibleSeqNo(),
        snapshot.files(),
        Base64.getEncoder().encodeToString(snapshot.segmentInfos()),
        snapshot.commitData(Map.of()),
        0);
  }

  static void copyFiles(Snapshot snapshot, Path target) throws IOException {
    Files.createDirectories(target);
    for (var file : snapshot.files()) {
      if (!Files.exists(target.resolve(file.name()))) {
        Files.copy(snapshot.path(file), target.resolve(file.name()));
      }
    }
  }

  static WriteItem item(WriteItem.Kind kind, String id, String body) {
    return item(kind, id, body, WriteItem.VersionType.INTERNAL, WriteItem.UNASSIGNED);
  }

  static WriteItem item(
      WriteItem.Kind kind, String id, String body, WriteItem.VersionType type, long version) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return WriteItem.of(kind, id, bytes, 0, bytes.length).versioned(type, version);
  }

  static WriteItem conditional(
      WriteItem.Kind kind, String id, String body, long ifSeqNo, long ifPrimaryTerm) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return WriteItem.of(kind, id, bytes, 0, bytes.length).ifAt(ifSeqNo, ifPrimaryTerm);
  }

  static ErrorBody error(WriteResult result) {
    return ((WriteResult.Failed) result).error();
  }

  static WriteResult.Done done(WriteResult result) {
    return (WriteResult.Done) result;
  }

  /** The source by id, {@code null} if there is none. */
  static @Nullable String source(SearchableCopy copy, String id, boolean realtime) {
    byte[] source = copy.get(id, realtime).source();
    return source == null ? null : new String(source, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    engine.close();
  }
}
