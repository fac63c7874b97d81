package io.varve.host;

import io.varve.engine.ReaderWarmer;
import io.varve.engine.SearchableCopy;
import io.varve.events.CopyProgress;
import io.varve.events.MergedSegment;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
import io.varve.host.reading.Freshness;
import io.varve.host.reading.LogEnd;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One copy of a shard on this node: a primary, or a replica of either kind.
 *
 * <pre>
 *   EMPTY -> STARTING -> (REPLAYING | COPYING -> (OPENED)) -> STARTED -> (GATE_CLOSED | FAILED)
 *   and from each to CLOSED
 * </pre>
 *
 * OPENED is a copy that answers searches though its files are still on their way: nobody who writes
 * waits for it, so that each read has to make sure with {@link #showsNewest}. GATE_CLOSED is a
 * primary that may no longer write: it still answers searches, and goes on only as a new object
 * under a higher term. FAILED is a copy that can't go on; its host opens another in its place.
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
    OPENED,
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

  /** Before the start: what is done with each reader before it is shown. */
  default void warmWith(ReaderWarmer warmer) {}

  /**
   * Opens what the folder holds and blocks until the copy is as good as the cluster expects of a
   * started one. Called once. A throw means that this object is of no use; the host closes it,
   * waits and makes another.
   */
  void start() throws Exception;

  /**
   * Shows what others were told of until now, before the cluster hears that this copy is started: a
   * client that waited for a refresh waited for the started copies alone. Blocks for that time at
   * most.
   *
   * @return whether the cluster may hear it
   */
  default boolean showNewest(Duration timeout) throws Exception {
    return true;
  }

  /** Whether it answers reads; an OPENED copy does where {@link #showsNewest} holds. */
  default boolean serves() {
    State now = state();
    return now == State.STARTED || now == State.GATE_CLOSED;
  }

  /**
   * Whether it shows, within that time, all that others were told of before this was called. Asked
   * of copies that are not started: those that are have shown it when others were told.
   */
  default boolean showsNewest(Duration timeout) throws Exception {
    return false;
  }

  /**
   * The first offset of the operations that this copy would have to replay after a restart, as a
   * primary or to go on; -1 when it holds nothing durably.
   */
  default long durableOffset() {
    return -1;
  }

  /**
   * Called before a realtime get: a copy that accepts writes refuses it once another may accept
   * them in its place.
   *
   * @throws ApiException the copy may no longer know the newest operations
   */
  default void refuseWhenFencedOff() {}

  /** What can be read, once and as long as it can. */
  Optional<SearchableCopy> searchable();

  /** The seq_no up to which searches on this copy see everything. */
  OffsetWatcher visible();

  /** The seq_no up to which realtime gets on this copy see everything. */
  default OffsetWatcher readable() {
    return visible();
  }

  /** How far the log goes, as this copy can tell. */
  LogEnd logEnd();

  /** What this copy can prove of the age of what it shows. */
  Freshness freshness();

  /**
   * Somebody waits until {@code seqNo} is visible here and would rather not wait for the interval.
   * A copy that can show it earlier does so; one that is given what it shows can't.
   *
   * @param wait once it is done nobody waits any more: a seq_no may never come
   */
  default void want(long seqNo, CompletableFuture<Boolean> wait) {}

  /** Shows {@code seqNo} if it can in that time. */
  default boolean show(long seqNo, Duration timeout) throws InterruptedException {
    CompletableFuture<Boolean> wait = visible().reached(seqNo);
    want(seqNo, wait);
    try {
      return visible().await(seqNo, timeout);
    } finally {
      visible().forget(wait);
    }
  }

  /**
   * What damage it met that no request was told of, such as in a merge. Asked also when it is
   * closed; a copy that shows files which it was given meets none but in what is asked of it.
   */
  default Optional<String> damage() {
    return Optional.empty();
  }

  CopyProgress progress();

  CopyStats stats();

  /**
   * A merged segment is there that no manifest names yet. A copy that is given its segments begins
   * to fetch it; the answer comes when it has it, and after that time at the latest.
   */
  default MergedSegment.Answer merged(MergedSegment segment, long waitMillis)
      throws InterruptedException {
    return new MergedSegment.Answer(MergedSegment.State.REFUSED, segment.totalBytes());
  }

  /** No manifest will name that merged segment. */
  default void mergeIsOver(SnapshotId merge) {}

  /** From where others copy its segments; empty for a copy that has none of others' kind. */
  default Optional<SnapshotSource> snapshots() {
    return Optional.empty();
  }

  /** How this copy came to be; while it starts, how far it is. */
  CopyRecovery recovery();

  /**
   * Makes durable what is applied, so that a restart replays nothing of it; a copy that shows files
   * which it was given makes those durable.
   */
  default void flush() {}

  /**
   * Merges its segments and shows the result; blocks until that is done. A copy that shows files
   * which it was given gets those of its primary when they are merged there.
   */
  default void forceMerge(ForceMergeRequest wish) {}

  /**
   * Writes one of its segments anew that is not encoded as the index's settings say, of so many
   * bytes in a second, and shows it; blocks until that is done. When it is to stop meanwhile the
   * segment stays as it was. A copy that shows files which it was given has none.
   */
  default Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    return Reencoded.NOTHING;
  }

  /** Makes durable what there is and lets go of everything; the folder stays. */
  @Override
  void close();
}
