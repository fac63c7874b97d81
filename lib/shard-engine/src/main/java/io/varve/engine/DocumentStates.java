package io.varve.engine;

import io.varve.engine.version.DocumentState;
import io.varve.engine.version.IdLookup;
import io.varve.engine.version.VersionMap;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a document now: from the {@link VersionMap}, or from the index when the map has
 * nothing of it.
 *
 * <pre>
 *   newest     also what is on its way into the log: what the next write is decided upon
 *   applied    what is in Lucene: what the next operation is applied upon
 *   realtime   the same, once no earlier write of the id is on its way: what a get sees
 *   shown      what searches see
 * </pre>
 *
 * INVARIANT: the map is asked before the look-up reader, never after it; the map says why nothing
 * is missed then.
 */
final class DocumentStates {

  private static final long REALTIME_GET_TIMEOUT_MILLIS = 10_000;

  private final VersionMap versions;
  private final Refresher refresher;
  private final ShardId shard;
  private final IdLookup ids = new IdLookup();

  DocumentStates(VersionMap versions, Refresher refresher, ShardId shard) {
    this.versions = versions;
    this.refresher = refresher;
    this.shard = shard;
  }

  @Nullable DocumentState newest(String id, boolean withSource) {
    DocumentState state = versions.newest(id);
    return state == null ? indexed(refresher.lookup(), id, withSource) : state;
  }

  @Nullable DocumentState applied(String id) {
    DocumentState state = versions.applied(id);
    return state == null ? indexed(refresher.lookup(), id, false) : state;
  }

  @Nullable DocumentState shown(String id) {
    return indexed(refresher.view(), id, true);
  }

  /** What is in flight may still be refused by the log: it is shown when it is applied. */
  @Nullable DocumentState realtime(String id) {
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
    return state == null ? indexed(refresher.lookup(), id, true) : state;
  }

  private @Nullable DocumentState indexed(ReaderSlot slot, String id, boolean withSource) {
    try (SearchView reader = slot.acquire()) {
      return ids.find(reader.searcher().getIndexReader(), id, withSource);
    } catch (IOException e) {
      throw new EngineException("can't look up [" + id + "] in " + shard, e);
    }
  }
}
