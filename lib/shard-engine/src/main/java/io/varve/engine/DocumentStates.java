package io.varve.engine;

import io.varve.engine.version.DocumentState;
import io.varve.engine.version.IdLookup;
import io.varve.engine.version.VersionMap;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a document, from the {@link VersionMap} or, if the map has no entry, from
 * the index.
 *
 * <pre>
 *   newest     includes appends in flight: basis for resolving the next write
 *   applied    the state in Lucene: basis for applying the next operation
 *   realtime   the same, after earlier writes of the id in flight have completed: seen by gets
 *   shown      the state visible to searches
 * </pre>
 *
 * Sources of applied documents are not kept in memory at first. When one is needed before a refresh
 * has made it readable, the lookup reader is refreshed once, and from then on sources are kept.
 * Most indices are never asked for a document that was written within the last second; in these,
 * kept sources would only be work for the garbage collector.
 *
 * <p>INVARIANT: the map is read before the lookup reader, never after it; the comment of the map
 * explains why this misses nothing.
 */
final class DocumentStates {

  private static final long REALTIME_GET_TIMEOUT_MILLIS = 10_000;

  private final VersionMap versions;
  private final ReaderRefresher refresher;
  private final ShardId shard;
  private final IdLookup ids = new IdLookup();
  private volatile boolean keepsSources;

  /**
   * @param keepsSources whether sources are kept from the beginning, because those in the index may
   *     be written differently
   */
  DocumentStates(
      VersionMap versions, ReaderRefresher refresher, ShardId shard, boolean keepsSources) {
    this.versions = versions;
    this.refresher = refresher;
    this.shard = shard;
    this.keepsSources = keepsSources;
  }

  @Nullable DocumentState newest(String id, boolean withSource) {
    return current(id, withSource, versions::newest);
  }

  /**
   * Makes the newest source readable without a refresh. Called before {@link #newest} is needed
   * under a lock, because a refresh under it delays all other writes.
   */
  void makeReadable(String id) {
    DocumentState state = versions.newest(id);
    if (state == null) {
      return;
    }
    // One in flight keeps its source when it is applied.
    keepsSources = true;
    if (state.sourceInIndex()) {
      refreshLookup();
    }
  }

  @Nullable DocumentState applied(String id) {
    return appliedNow(id, false);
  }

  @Nullable DocumentState shown(String id) {
    return indexed(refresher.view(), id, true);
  }

  /**
   * The state for a realtime get. Appends in flight may still be rejected by the log, so this waits
   * until they are applied.
   */
  @Nullable DocumentState realtime(String id) {
    try {
      if (!versions.awaitApplied(id, REALTIME_GET_TIMEOUT_MILLIS)) {
        throw new ApiException(
            503,
            "timeout_exception",
            "[" + id + "]: an earlier write of the document is still in flight");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "timeout_exception", "[" + id + "]: interrupted");
    }
    return appliedNow(id, true);
  }

  private @Nullable DocumentState appliedNow(String id, boolean withSource) {
    return current(id, withSource, versions::applied);
  }

  private @Nullable DocumentState current(
      String id, boolean withSource, Function<String, @Nullable DocumentState> known) {
    DocumentState state = known.apply(id);
    while (state != null && withSource && state.sourceInIndex()) {
      keepsSources = true;
      refreshLookup();
      // The reader has it now, unless the document was replaced in the meantime.
      state = known.apply(id);
    }
    return state == null ? indexed(refresher.lookup(), id, withSource) : state;
  }

  private void refreshLookup() {
    try {
      refresher.refreshLookupNow();
    } catch (IOException e) {
      throw new EngineException("can't refresh the lookup reader of " + shard, e);
    }
  }

  /** The state that an append in flight will give the document. */
  void appended(String id, DocumentState state) {
    versions.appended(id, state);
  }

  /** The document's new state in Lucene. */
  void applied(String id, DocumentState state) {
    versions.applied(id, keepsSources ? state : state.leavingSource());
  }

  /** The operation had already been applied. */
  void settled(String id, long seqNo) {
    versions.settled(id, seqNo);
  }

  /** Drops the appends in flight. */
  void resetInFlight() {
    versions.resetInFlight();
  }

  /** Shrinks the version map when it is large. */
  void limitMemory() throws IOException {
    refresher.limitVersionMap();
  }

  /** The state without its source, in what a copy shows to searches. */
  static @Nullable DocumentState shown(SearchableCopy copy, IdLookup ids, String id) {
    try (SearchView reader = copy.acquireView()) {
      return ids.find(reader.searcher().getIndexReader(), id, false);
    } catch (IOException e) {
      throw new EngineException("can't look up [" + id + "]", e);
    }
  }

  private @Nullable DocumentState indexed(ReaderSlot slot, String id, boolean withSource) {
    try (SearchView reader = slot.acquire()) {
      return ids.find(reader.searcher().getIndexReader(), id, withSource);
    } catch (IOException e) {
      throw new EngineException("can't look up [" + id + "] in " + shard, e);
    }
  }
}
