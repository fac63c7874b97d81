package io.varve.node;

import io.varve.engine.SearchableCopy;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.rpc.MergeWish;
import java.util.Optional;

/**
 * One copy of a shard on this node: a primary, or a replica of either kind.
 *
 * <pre>
 *   EMPTY -> STARTING -> (REPLAYING | COPYING) -> STARTED -> (GATE_CLOSED | FAILED)
 *   and from each to CLOSED
 * </pre>
 *
 * GATE_CLOSED is a primary that may no longer write: it still answers searches, and goes on only as
 * a new object under a higher term. FAILED is a copy that can't go on; its host opens another in
 * its place.
 *
 * <p>The host calls {@link #start} and {@link #close} from one thread of the copy's own; all other
 * methods may be called at any time, from any thread.
 */
public interface ShardCopy extends AutoCloseable {

  /** Where a copy is in its life. */
  enum State {
    EMPTY,
    STARTING,
    REPLAYING,
    COPYING,
    STARTED,
    GATE_CLOSED,
    FAILED,
    CLOSED
  }

  ShardId shard();

  String copyId();

  boolean primary();

  State state();

  /** For a primary its own term, for a replica that of what it shows; 0 for none yet. */
  long term();

  /**
   * Opens what the folder holds and blocks until the copy is as good as the cluster expects of a
   * started one. Called once. A throw means that this object is of no use; the host closes it,
   * waits and makes another.
   */
  void start() throws Exception;

  /** What can be read, once and as long as it can. */
  Optional<SearchableCopy> searchable();

  /** The seq_no up to which searches on this copy see everything. */
  OffsetWatcher visible();

  /**
   * Somebody waits until {@code seqNo} is visible here. A copy that could show it earlier than it
   * would by itself does so; most can't.
   */
  default void want(long seqNo) {}

  CopyProgress progress();

  CopyStats stats();

  /** How this copy came to be; while it starts, how far it is. */
  CopyRecovery recovery();

  /**
   * Makes durable what is applied, so that a restart replays nothing of it. A copy that shows files
   * which it was given has nothing to add.
   */
  default void flush() {}

  /**
   * Merges its segments and shows the result; blocks until that is done. A copy that shows files
   * which it was given gets those of its primary when they are merged there.
   */
  default void forceMerge(MergeWish wish) {}

  /** Makes durable what there is and lets go of everything; the folder stays. */
  @Override
  void close();
}
