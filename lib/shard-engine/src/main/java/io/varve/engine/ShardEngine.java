package io.varve.engine;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.DerivedSources;
import io.varve.engine.version.DocumentState;
import io.varve.engine.version.VersionMap;
import io.varve.events.Operation;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.GetResult;
import io.varve.rpc.Reencoded;
import io.varve.rpc.SeqNoDigests;
import io.varve.rpc.WriteItem;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A copy that writes its own segments: a primary, or a DOCUMENT replica.
 *
 * <p>The steps of a primary's write are {@link #parse} (any thread) → {@link #resolve} (one at a
 * time, under the sequencer's lock) → {@link #inFlight} (under the same lock, once the operation
 * has its seq_no) → {@link #apply} (once it is accepted; in order for each id, in parallel for
 * different ids). Recovery and replicas only apply.
 *
 * <p>INVARIANTS: Lucene contains applied operations only; applying is idempotent; a commit's
 * checkpoint never covers more than its files contain.
 */
public final class ShardEngine implements SearchableCopy, WritableCopy {

  private final EngineConfig config;
  private final FlushDirectory directory;
  private final IndexWriter writer;
  private final WriterCodec codec;
  private final TieredMerges tiers;
  private final ForcedMerges forced;
  private final CountingMergeScheduler merges;
  private final VersionMap versions = new VersionMap();
  private final Meters meters = new Meters();
  private final ReentrantLock committing = new ReentrantLock();
  private final LastCommit lastCommit;
  private final ReaderRefresher refresher;
  private final DocumentStates states;
  private final WritePath writes;
  private final DocumentGets gets;

  /** The last I/O failure. */
  private volatile @Nullable IOException failure;

  private ShardEngine(EngineConfig config, MappingSource mappings, MergeWatch watch)
      throws IOException {
    this.config = config;
    Files.createDirectories(config.directory());
    directory =
        new FlushDirectory(
            FSDirectory.open(config.directory()), new NIOFSDirectory(config.directory()));
    LocalSegments.handOver(config.directory(), directory);
    merges = new CountingMergeScheduler();
    DocumentParser parser = new DocumentParser(mappings, config.settings());
    lastCommit = new LastCommit(directory);
    Writers.Opened opened =
        Writers.open(
            config,
            directory,
            Writers.Mapped.of(config, parser),
            merges,
            () -> lastCommit.checkpoint().nextSeqNo(),
            watch);
    writer = opened.writer();
    codec = opened.codec();
    tiers = opened.merges();
    forced = new ForcedMerges(writer, codec.merges(), merges, opened.unmergeable());
    lastCommit.found(writer);
    refresher =
        ReaderRefresher.open(
            config, directory, writer, versions, meters, lastCommit.checkpoint().visibleSeqNo());
    boolean derives = DerivedSources.wanted(config.settings());
    states = new DocumentStates(versions, refresher, config.shard(), derives);
    LuceneApplier applier =
        new LuceneApplier(
            writer, parser::mapping, derives ? new DerivedSources(MetaFields.SOURCE) : null);
    writes =
        new WritePath(
            config, applier, parser, states, meters, Checkpoint.maxSeqNo(lastCommit.data()));
    gets = new DocumentGets(states, parser, meters);
  }

  /**
   * Opens the folder's last commit, or the manifest last kept there by a copy that received its
   * segments, or an empty copy.
   */
  public static ShardEngine open(EngineConfig config, MappingSource mappings) {
    return open(config, mappings, MergeWatch.NONE);
  }

  /** As above, and notifies {@code watch} of each merge. */
  public static ShardEngine open(EngineConfig config, MappingSource mappings, MergeWatch watch) {
    try {
      return new ShardEngine(config, mappings, watch);
    } catch (IOException e) {
      throw new EngineException("can't open " + config.shard() + " in " + config.directory(), e);
    }
  }

  @Override
  public void warmWith(ReaderWarmer warmer) {
    refresher.warming().with(warmer);
  }

  /** The last commit's checkpoint: replay begins at its {@code nextOffset}. */
  public Checkpoint committed() {
    return lastCommit.checkpoint();
  }

  /** The user data of the last commit, including the caller's entries. */
  public Map<String, String> committedData() {
    return lastCommit.data();
  }

  /**
   * An upper bound of the seq_nos in the segments, -1 for none: the highest one that was applied,
   * or that the copied segments may have.
   */
  public long maxSeqNo() {
    return writes.maxSeqNo();
  }

  /**
   * Parses the document of an index or create; updates and deletes have nothing to parse yet. Any
   * thread may call this without a lock.
   */
  public Parsed parse(WriteItem item) {
    return writes.parse(item);
  }

  @Override
  public Resolution resolve(WriteItem item, Parsed parsed) {
    return writes.resolve(item, parsed);
  }

  @Override
  public void inFlight(Operation operation) {
    writes.inFlight(operation);
  }

  /**
   * Drops the appends in flight, which will not be applied. Called only before the copy is closed
   * or replayed.
   */
  public void resetInFlight() {
    states.resetInFlight();
  }

  @Override
  public boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided) {
    try {
      return writes.apply(operation, decided);
    } catch (IOException e) {
      throw failed("can't apply seq_no " + operation.seqNo() + " at offset " + offset + " to", e);
    }
  }

  /**
   * Makes all applied operations visible to searches and returns the files that contain them.
   *
   * @param checkpoint captured before this call
   * @return the new snapshot, which the caller closes, or {@code null} if nothing changed; never
   *     {@code null} the first time
   */
  public @Nullable Snapshot refresh(Checkpoint checkpoint) {
    try {
      return refresher.refresh(checkpoint, writes::maxSeqNo);
    } catch (IOException e) {
      throw failed("can't refresh", e);
    }
  }

  /** The newest snapshot, which the caller closes; {@code null} before the first refresh. */
  public @Nullable Snapshot newestSnapshot() {
    return refresher.newest();
  }

  /**
   * Makes all applied operations durable.
   *
   * @param checkpoint captured before this call
   * @param more additional commit data, for {@link #committedData}
   */
  public void commit(Checkpoint checkpoint, Map<String, String> more) {
    committing.lock();
    long began = meters.commits.begin();
    try {
      Map<String, String> data = new HashMap<>(more);
      data.putAll(checkpoint.toCommitData(writes.maxSeqNo()));
      if (lastCommit.write(writer, checkpoint, data)) {
        refresher.refreshLookupNow();
      }
    } catch (IOException e) {
      throw failed("can't commit", e);
    } finally {
      meters.commits.end(began);
      committing.unlock();
    }
  }

  public void commit(Checkpoint checkpoint) {
    commit(checkpoint, Map.of());
  }

  /**
   * Runs a force merge and waits for it. Visible to searches after the next refresh.
   *
   * @throws ApiException 409 if the folder must not be merged, see {@link SuspectFolder}
   */
  public void forceMerge(ForceMergeRequest request) {
    try {
      forced.merge(request);
    } catch (IOException e) {
      throw new EngineException("can't merge " + shard(), e);
    }
  }

  /**
   * Rewrites one segment that is not encoded according to the settings, at this many bytes per
   * second, and waits for it. Visible to searches after the next refresh. {@code stop} may abort
   * it.
   *
   * @throws ApiException 409 as {@link #forceMerge}
   */
  public Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    try {
      return forced.reencode(bytesPerSecond, stop);
    } catch (IOException e) {
      throw new EngineException("can't rewrite a segment of " + shard(), e);
    }
  }

  /**
   * Applies changed index settings for the encoding of new segments, for merges and for the slow
   * log.
   */
  public void settings(Map<String, String> settings) {
    codec.follow(settings);
    tiers.follow(settings);
    writes.settings(settings);
  }

  private EngineException failed(String what, IOException e) {
    failure = e;
    return new EngineException(what + " " + shard(), e);
  }

  /**
   * The error that closed the writer, including errors of background merges, which no caller sees.
   */
  public Optional<Throwable> ended() {
    return Optional.ofNullable(writer.getTragicException());
  }

  /** Corruption found by the writer, an operation, a refresh or a commit. */
  public Optional<String> damage() {
    return ended()
        .flatMap(SuspectFolder::damage)
        .or(() -> Optional.ofNullable(failure).flatMap(SuspectFolder::damage));
  }

  @Override
  public SearchView acquireView() {
    return refresher.view().acquire();
  }

  @Override
  public GetResult get(String id, boolean realtime, Set<String> storedFields) {
    return gets.get(id, realtime, storedFields);
  }

  @Override
  public @Nullable DocumentState state(String id) {
    return states.applied(id);
  }

  /** The highest seq_no of any document in the segments, including deleted ones. */
  public long highestSeqNo() {
    return Math.max(maxSeqNo(), ofNewest(Long.MAX_VALUE, SeqNoWindow::highest));
  }

  /** Counts documents that are not visible to searches yet, too. */
  @Override
  public long count(LongPredicate ofSeqNo, Matching matching) {
    return ofNewest(Long.MAX_VALUE, reader -> SeqNoWindow.count(reader, ofSeqNo, matching));
  }

  /** Also finds documents that are not visible to searches yet. */
  @Override
  public List<LiveVersion> between(
      long fromSeqNo, long toSeqNo, LongPredicate ofSeqNo, Matching matching) {
    return ofNewest(
        toSeqNo, reader -> SeqNoWindow.read(reader, fromSeqNo, toSeqNo, ofSeqNo, matching));
  }

  /** Also reads documents that are not visible to searches yet. */
  @Override
  public SeqNoDigests digests(long toSeqNo) {
    return ofNewest(toSeqNo, reader -> ReaderStats.digests(reader, toSeqNo));
  }

  /** Reads the applied documents below a seq_no. */
  private <T> T ofNewest(long toSeqNo, ReaderFunction<T> reading) {
    try {
      return refresher.read(toSeqNo > visibleSeqNo() + 1, reading);
    } catch (IOException e) {
      throw failed("can't read the documents of", e);
    }
  }

  /** The memory of applied operations that a refresh or a commit would free. */
  public long unshownBytes() {
    return versions.sizeBytes() + writer.ramBytesUsed();
  }

  @Override
  public EngineStats stats() {
    try (SearchView view = acquireView();
        SearchView newest = refresher.lookup().acquire()) {
      return new EngineStats(
          ReaderStats.contents(view, newest, versions.sizeBytes(), writer.ramBytesUsed()),
          writes.maxSeqNo(),
          view.visibleSeqNo(),
          view.generation(),
          commitStats(),
          meters.read(merges));
    }
  }

  private CopyStats.Commit commitStats() {
    SegmentInfos infos = lastCommit.infos();
    return infos == null ? refresher.published() : ReaderStats.commit(infos);
  }

  @Override
  public CopySegments segments() {
    try (SearchView view = acquireView()) {
      return ReaderStats.segments(view, lastCommit.infos());
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

  /** Closes without a commit: operations beyond the last commit are replayed at the next open. */
  @Override
  public void close() {
    try {
      refresher.close();
    } finally {
      closeWriter();
    }
  }

  private void closeWriter() {
    try {
      writer.rollback();
      directory.close();
    } catch (IOException e) {
      throw new EngineException("can't close " + shard(), e);
    }
  }
}
