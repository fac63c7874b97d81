package io.varve.engine;

import io.varve.engine.document.DocumentParser;
import io.varve.engine.document.KeptSource;
import io.varve.engine.fields.FieldAnalyzers;
import io.varve.engine.fields.LuceneIndexSort;
import io.varve.engine.version.Decision;
import io.varve.engine.version.DocumentState;
import io.varve.engine.version.IdLookup;
import io.varve.engine.version.VersionMap;
import io.varve.engine.version.WriteResolver;
import io.varve.events.Operation;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.MergeWish;
import io.varve.rpc.WriteItem;
import io.varve.search.mapping.IndexSort;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A copy that writes its own segments: a primary, or a DOCUMENT replica.
 *
 * <p>A primary's write goes {@link #parse} (any thread) → {@link #resolve} (one at a time, under
 * the sequencer's lock) → {@link #inFlight} (still under it, once the operation has its seq_no) →
 * {@link #apply} (once it is accepted; in order for each id, in parallel for different ids).
 * Recovery and replicas apply alone.
 *
 * <p>INVARIANTS: nothing is in Lucene that was not applied; applying twice is applying once; a
 * commit's checkpoint never promises more than its files hold.
 */
public final class ShardEngine implements SearchableCopy {

  private static final long REALTIME_GET_TIMEOUT_MILLIS = 10_000;

  private final EngineConfig config;
  private final Directory directory;
  private final IndexWriter writer;
  private final CountingMergeScheduler merges;
  private final DocumentParser parser;
  private final LuceneApplier applier;
  private final VersionMap versions = new VersionMap();
  private final IdLookup ids = new IdLookup();
  private final Meters meters = new Meters();
  private final ReentrantLock committing = new ReentrantLock();
  private final LongAccumulator maxSeqNo;
  private final Refresher refresher;
  private volatile Map<String, String> committedData;
  private volatile Checkpoint committed;
  private volatile @Nullable SegmentInfos committedInfos;

  private ShardEngine(EngineConfig config, MappingSource mappings) throws IOException {
    this.config = config;
    Files.createDirectories(config.directory());
    directory = FSDirectory.open(config.directory());
    LocalSegments.handOver(config.directory(), directory);
    merges = new CountingMergeScheduler();
    parser = new DocumentParser(mappings, config.settings());
    committed = Checkpoint.NONE;
    committedData = Map.of();
    writer =
        Writers.open(
            config, directory, mapped(config, parser), merges, () -> this.committed.nextSeqNo());
    committedData = commitData(writer);
    committed = Checkpoint.ofCommitData(committedData);
    committedInfos =
        DirectoryReader.indexExists(directory) ? SegmentInfos.readLatestCommit(directory) : null;
    maxSeqNo = new LongAccumulator(Math::max, Checkpoint.maxSeqNo(committedData));
    applier = new LuceneApplier(writer);
    refresher = openRefresher();
  }

  private static Writers.Mapped mapped(EngineConfig config, DocumentParser parser) {
    IndexSort sort = IndexSort.of(config.settings());
    return new Writers.Mapped(
        FieldAnalyzers.forWriter(parser::mapping), LuceneIndexSort.of(sort, parser.mapping()));
  }

  /** The writer holds the folder's lock: a failure to read the segments must give it back. */
  private Refresher openRefresher() throws IOException {
    try {
      return new Refresher(config, directory, writer, versions, meters, committed.visibleSeqNo());
    } catch (IOException | RuntimeException e) {
      writer.rollback();
      directory.close();
      throw e;
    }
  }

  /**
   * Opens what the folder's last commit holds, or what a copy that was given its segments showed
   * there last, or an empty copy.
   */
  public static ShardEngine open(EngineConfig config, MappingSource mappings) {
    try {
      return new ShardEngine(config, mappings);
    } catch (IOException e) {
      throw new EngineException("can't open " + config.shard() + " in " + config.directory(), e);
    }
  }

  private static Map<String, String> commitData(IndexWriter writer) {
    Map<String, String> data = new HashMap<>();
    Iterable<Map.Entry<String, String>> entries = writer.getLiveCommitData();
    if (entries != null) {
      entries.forEach(entry -> data.put(entry.getKey(), entry.getValue()));
    }
    return Map.copyOf(data);
  }

  /** The last commit's checkpoint: replay begins at its {@code nextOffset}. */
  public Checkpoint committed() {
    return committed;
  }

  /** The last commit's data, those that the caller gave among them. */
  public Map<String, String> committedData() {
    return committedData;
  }

  /** The highest seq_no applied, -1 for none. */
  public long maxSeqNo() {
    return maxSeqNo.get();
  }

  /**
   * Reads the document of an index or create; an update or delete has nothing to read yet. Any
   * thread, no lock.
   */
  public Parsed parse(WriteItem item) {
    ErrorBody tooLong = IdLimit.check(item.id());
    if (tooLong != null) {
      return new Parsed.Invalid(tooLong);
    }
    return switch (item.kind()) {
      case INDEX, CREATE -> parser.parse(item.id(), item.bodyBytes());
      case UPDATE, DELETE -> new Parsed.Later();
    };
  }

  /**
   * Decides on a write, seeing everything appended before. One at a time, under the sequencer's
   * lock.
   */
  public Resolution resolve(WriteItem item, Parsed parsed) {
    Resolution resolution = resolved(item, parsed);
    if (resolution instanceof Resolution.Noop) {
      meters.noops.increment();
    } else if (resolution instanceof Resolution.Rejected && item.kind() != WriteItem.Kind.DELETE) {
      meters.failed.increment();
    }
    return resolution;
  }

  private Resolution resolved(WriteItem item, Parsed parsed) {
    return switch (parsed) {
      case Parsed.Invalid invalid -> new Resolution.Rejected(invalid.error());
      case Parsed.NeedsMapping needed ->
          new Resolution.NeedsMapping(needed.mappingVersion(), needed.properties());
      case Parsed.Document document -> decide(item, document);
      case Parsed.Later _ -> decide(item, null);
    };
  }

  private Resolution decide(WriteItem item, Parsed.@Nullable Document document) {
    boolean isUpdate = item.kind() == WriteItem.Kind.UPDATE;
    DocumentState state = item.autoId() ? null : newestState(item.id(), isUpdate);
    return switch (WriteResolver.resolve(item, state)) {
      case Decision.Rejected rejected -> new Resolution.Rejected(rejected.error());
      case Decision.Noop noop -> new Resolution.Noop(noop.result());
      case Decision.Delete delete ->
          new Resolution.Append(
              delete.version(),
              null,
              item.routing(),
              parser.mappingVersion(),
              !delete.found(),
              delete.found() ? "deleted" : "not_found");
      case Decision.Index index -> {
        if (document == null) {
          throw new IllegalArgumentException("[" + item.id() + "] was not parsed");
        }
        yield append(item, document, index.version(), index.created());
      }
      case Decision.IndexMerged merged ->
          switch (parser.parse(item.id(), merged.source())) {
            case Parsed.Document made -> append(item, made, merged.version(), merged.created());
            case Parsed.NeedsMapping needed ->
                new Resolution.NeedsMapping(needed.mappingVersion(), needed.properties());
            case Parsed.Invalid invalid -> new Resolution.Rejected(invalid.error());
            case Parsed.Later _ -> throw new IllegalStateException("a document is never later");
          };
    };
  }

  private static Resolution append(
      WriteItem item, Parsed.Document document, long version, boolean created) {
    return new Resolution.Append(
        version,
        document,
        item.routing(),
        document.mappingVersion(),
        created,
        created ? "created" : "updated");
  }

  /**
   * The operation has its seq_no and is on its way into the log: resolving sees it from here on.
   * Under the sequencer's lock.
   */
  public void inFlight(Operation operation) {
    versions.appended(operation.id(), state(operation));
  }

  private DocumentState state(Operation operation) {
    return LuceneApplier.state(operation, KeptSource.of(parser.mapping(), operation.source()));
  }

  /** What is in flight will not be applied; only before the copy is closed, or replayed. */
  public void resetInFlight() {
    versions.resetInFlight();
  }

  /**
   * Applies an accepted operation. In order for each id; different ids in parallel.
   *
   * @param offset where it stands in the log
   * @param decided what it was resolved to here, {@code null} on recovery and on replicas
   * @return whether it changed anything: false if it was applied before
   */
  public boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided) {
    Tally tally = operation.isDelete() ? meters.delete : meters.index;
    long began = tally.begin();
    boolean changed = false;
    try {
      String id = operation.id();
      boolean replaces;
      if (decided != null) {
        replaces = !decided.created();
      } else {
        DocumentState before = appliedState(id);
        if (before != null && operation.seqNo() <= before.seqNo()) {
          versions.settled(id, operation.seqNo());
          meters.skipped.increment();
          return false;
        }
        replaces = before != null && !before.deleted();
      }
      applier.apply(operation, document(operation, decided), replaces);
      maxSeqNo.accumulate(operation.seqNo());
      versions.applied(id, state(operation));
      changed = true;
      refresher.limitVersionMap();
      return true;
    } catch (IOException e) {
      throw new EngineException(
          "can't apply seq_no " + operation.seqNo() + " at offset " + offset + " to " + shard(), e);
    } finally {
      tally.end(began, changed);
    }
  }

  private Parsed.@Nullable Document document(
      Operation operation, Resolution.@Nullable Append decided) {
    byte[] source = operation.source();
    if (source == null) {
      return null;
    }
    if (decided != null && decided.document() != null) {
      return decided.document();
    }
    Parsed parsed = parser.parse(operation.id(), source);
    if (parsed instanceof Parsed.Document document) {
      return document;
    }
    throw new EngineException(
        "accepted operation "
            + operation.seqNo()
            + " can't be indexed in "
            + shard()
            + ": "
            + parsed);
  }

  private @Nullable DocumentState newestState(String id, boolean withSource) {
    DocumentState state = versions.newest(id);
    return state == null ? indexedState(refresher.lookup(), id, withSource) : state;
  }

  private @Nullable DocumentState appliedState(String id) {
    DocumentState state = versions.applied(id);
    return state == null ? indexedState(refresher.lookup(), id, false) : state;
  }

  private @Nullable DocumentState indexedState(ReaderSlot slot, String id, boolean withSource) {
    try (SearchView reader = slot.acquire()) {
      return ids.find(reader.searcher().getIndexReader(), id, withSource);
    } catch (IOException e) {
      throw new EngineException("can't look up [" + id + "] in " + shard(), e);
    }
  }

  /**
   * Shows everything applied so far to searches, and names the files in which it is.
   *
   * @param checkpoint captured before this call
   * @return the new snapshot, which the caller closes, or {@code null} if nothing changed; never
   *     {@code null} the first time
   */
  public @Nullable Snapshot refresh(Checkpoint checkpoint) {
    try {
      return refresher.refresh(checkpoint);
    } catch (IOException e) {
      throw new EngineException("can't refresh " + shard(), e);
    }
  }

  /** The newest snapshot, which the caller closes; {@code null} before the first refresh. */
  public @Nullable Snapshot newestSnapshot() {
    return refresher.newest();
  }

  /**
   * Makes durable everything applied so far.
   *
   * @param checkpoint captured before this call
   * @param more what else the commit is to carry, for {@link #committedData}
   */
  public void commit(Checkpoint checkpoint, Map<String, String> more) {
    committing.lock();
    long began = meters.commits.begin();
    try {
      Map<String, String> data = new HashMap<>(more);
      data.putAll(checkpoint.toCommitData(maxSeqNo.get()));
      if (!data.equals(committedData) || writer.hasUncommittedChanges()) {
        writer.setLiveCommitData(data.entrySet());
        writer.commit();
        committedData = Map.copyOf(data);
        committed = checkpoint;
        committedInfos = SegmentInfos.readLatestCommit(directory);
        refresher.refreshLookupNow();
      }
    } catch (IOException e) {
      throw new EngineException("can't commit " + shard(), e);
    } finally {
      meters.commits.end(began);
      committing.unlock();
    }
  }

  public void commit(Checkpoint checkpoint) {
    commit(checkpoint, Map.of());
  }

  /** Merges as wished and waits for it. Searches see it after the next refresh. */
  public void forceMerge(MergeWish wish) {
    try {
      if (wish.onlyExpungeDeletes()) {
        writer.forceMergeDeletes(true);
      } else if (wish.maxSegments() == MergeWish.AS_DUE) {
        writer.maybeMerge();
      } else {
        writer.forceMerge(wish.maxSegments(), true);
      }
    } catch (IOException e) {
      throw new EngineException("can't merge " + shard(), e);
    }
  }

  @Override
  public SearchView acquireView() {
    return refresher.view().acquire();
  }

  @Override
  public GetResult get(String id, boolean realtime, Set<String> storedFields) {
    long began = System.nanoTime();
    meters.currentGets.increment();
    boolean found = false;
    try {
      DocumentState state = realtime ? realtimeState(id) : indexedState(refresher.view(), id, true);
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
          parser.mapping().sourceEnabled() ? state.source() : null,
          storedFields(state, id, storedFields));
    } finally {
      meters.got(found, began);
    }
  }

  /** Read from the source once more: that is right whether or not the document is in a segment. */
  private Map<String, List<Object>> storedFields(
      DocumentState state, String id, Set<String> names) {
    byte[] source = state.source();
    if (names.isEmpty() || source == null) {
      return Map.of();
    }
    return parser.parse(id, source) instanceof Parsed.Document document
        ? StoredValues.of(document.fields(), names)
        : Map.of();
  }

  /** What is in flight may still be refused by the log: it is shown when it is applied. */
  private @Nullable DocumentState realtimeState(String id) {
    try {
      if (!versions.awaitApplied(id, REALTIME_GET_TIMEOUT_MILLIS)) {
        throw new ApiException(
            503, "timeout_exception", "[" + id + "]: an earlier write is still under way");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "timeout_exception", "[" + id + "]: interrupted");
    }
    DocumentState state = versions.applied(id);
    return state == null ? indexedState(refresher.lookup(), id, true) : state;
  }

  @Override
  public EngineStats stats() {
    try (SearchView view = acquireView();
        SearchView newest = refresher.lookup().acquire()) {
      return new EngineStats(
          ReaderStats.contents(view, newest, versions.sizeBytes(), writer.ramBytesUsed()),
          maxSeqNo.get(),
          view.visibleSeqNo(),
          view.generation(),
          commitFigures(),
          meters.read(merges));
    }
  }

  private CopyStats.Commit commitFigures() {
    SegmentInfos infos = committedInfos;
    return infos == null ? refresher.published() : ReaderStats.commit(infos);
  }

  @Override
  public CopySegments segments() {
    try (SearchView view = acquireView()) {
      return ReaderStats.segments(view, committedInfos);
    }
  }

  @Override
  public SearchMeters searchMeters() {
    return meters.searches;
  }

  @Override
  public long visibleSeqNo() {
    return refresher.view().visibleSeqNo();
  }

  @Override
  public long generation() {
    return refresher.view().generation();
  }

  private String shard() {
    return config.shard().toString();
  }

  /** Lets go without a commit: what is applied beyond the last one is replayed at the next open. */
  @Override
  public void close() {
    try {
      refresher.close();
    } finally {
      letGo();
    }
  }

  private void letGo() {
    try {
      writer.rollback();
      directory.close();
    } catch (IOException e) {
      throw new EngineException("can't close " + shard(), e);
    }
  }
}
