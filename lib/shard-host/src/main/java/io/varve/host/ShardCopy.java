package io.varve.host;

import io.varve.cluster.Fork;
import io.varve.engine.HeldView;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.Searchable;
import io.varve.engine.SearchableCopy;
import io.varve.events.CopyProgress;
import io.varve.events.MergedSegment;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
import io.varve.host.reading.Freshness;
import io.varve.host.reading.LogEnd;
import io.varve.host.reading.StrongReads;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.Reencoded;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a shard on this node: a primary, or a replica of either kind.
 *
 * <pre>
 *   EMPTY -> STARTING -> (REPLAYING | COPYING -> (OPENED)) -> STARTED -> (GATE_CLOSED | FAILED)
 *   and from each to CLOSED
 * </pre>
 *
 * OPENED is a copy that answers searches while it still fetches its files. Writes do not wait for
 * it, so each read must check {@link #showsNewest}. GATE_CLOSED is a primary that may no longer
 * write: it still answers searches until a new object with a higher term replaces it. FAILED is a
 * copy that can't continue; its host opens another.
 *
 * <p>The host calls {@link #start} and {@link #close} from one thread that is dedicated to the
 * copy; all other methods may be called at any time, from any thread.
 */
public interface ShardCopy extends AutoCloseable {

  /** The lifecycle state of a copy. */
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

  /**
   * The term of a primary, or the term of the manifest or operation that a replica shows; 0 for
   * none yet.
   */
  long term();

  /** Identifies the run of the process that opened this copy. */
  default String incarnation() {
    return "";
  }

  /** Whether its index is strongly consistent. */
  default boolean strong() {
    return false;
  }

  /** The realtime reads of the primary of a strongly consistent index; null on any other copy. */
  default @Nullable StrongReads strongReads() {
    return null;
  }

  /** Sets the warmer of each reader before it is shown; called before the start. */
  default void warmWith(ReaderWarmer warmer) {}

  /**
   * Opens the folder and blocks until the copy meets the cluster's requirements of a started copy.
   * Called once. If it throws, this object is unusable; the host closes it, waits and creates
   * another.
   */
  void start() throws Exception;

  /**
   * Shows everything that was published until now, before the copy is reported as started: clients
   * that waited for a refresh have waited only for started copies. A replica answers no reads
   * before that. Blocks for at most the timeout.
   *
   * @return whether the copy may be reported as started
   */
  default boolean showNewest(Duration timeout) throws Exception {
    return true;
  }

  /**
   * The position at which a started primary stopped following its former leader, if its index waits
   * for it; see {@link Fork}.
   */
  default Optional<ForkPlace> fork() {
    return Optional.empty();
  }

  /** Whether the copy answers reads; an OPENED copy does so only if {@link #showsNewest}. */
  default boolean serves() {
    State now = state();
    return now == State.STARTED || now == State.GATE_CLOSED;
  }

  /**
   * Whether the copy shows, within the timeout, everything that was published before this call.
   * Needed only for copies that are not started, because clients wait for the started ones.
   */
  default boolean showsNewest(Duration timeout) throws Exception {
    return false;
  }

  /**
   * The first offset of the operations that this copy would have to replay after a restart, as a
   * primary or in its current role; -1 if it holds nothing durably.
   */
  default long durableOffset() {
    return -1;
  }

  /**
   * Called before a realtime get: a copy that accepts writes refuses the get once another copy may
   * have taken over.
   *
   * @throws ApiException if the copy may no longer know the newest operations
   */
  default void refuseWhenFencedOff() {}

  /** The searchable content; empty before the copy is open and after it has failed. */
  Optional<SearchableCopy> searchable();

  /** The content that searches read; a primary that takes over has that of {@link #takesOver}. */
  default Optional<Searchable> searched() {
    return searchable().map(Searchable.class::cast);
  }

  /**
   * Called before the start of a primary that takes over from a started replica at the same place.
   *
   * @param view what the replica shows, which searches read until the primary is started
   */
  default void takesOver(HeldView view) {
    view.close();
  }

  /**
   * The seq_no up to which searches see everything while this primary takes over; empty if it does
   * not take over, or if it is started. No later operation was reported to a client as visible,
   * because this requires a started primary.
   */
  default OptionalLong shownBefore() {
    return OptionalLong.empty();
  }

  /** The seq_no up to which searches on this copy see everything. */
  OffsetWatcher visible();

  /** The seq_no up to which realtime gets on this copy see everything. */
  default OffsetWatcher readable() {
    return visible();
  }

  /** The end of the log relative to this copy's position. */
  LogEnd logEnd();

  /** The proven upper bound on the staleness of what this copy shows. */
  Freshness freshness();

  /**
   * Requests that {@code seqNo} become visible before the refresh interval is over. A copy that
   * receives its segments ignores this.
   *
   * @param wait the wait for that seq_no; the request is dropped when it completes
   */
  default void want(long seqNo, CompletableFuture<Boolean> wait) {}

  /**
   * A search of the present content begins. A copy that was refreshed rarely, because it was not
   * searched, first shows what it has applied.
   */
  default void searchBegins() {}

  /** Shows {@code seqNo} if that is possible within the timeout. */
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
   * Damage that the copy found outside requests, such as in a merge; still available after the copy
   * is closed. A copy that receives its segments finds damage only in requests.
   */
  default Optional<String> damage() {
    return Optional.empty();
  }

  /**
   * The log has other operations than this copy: the copy starts again, without its files.
   *
   * @param reason the explanation for operators
   */
  void contradicted(String reason);

  CopyProgress progress();

  CopyStats stats();

  /**
   * Announces a merged segment that no manifest names yet. A copy that receives its segments
   * fetches it. Returns once the copy has the segment, or after the timeout.
   */
  default MergedSegment.Answer merged(MergedSegment segment, long waitMillis)
      throws InterruptedException {
    return new MergedSegment.Answer(MergedSegment.State.REFUSED, segment.totalBytes());
  }

  /** No manifest will ever name that merged segment. */
  default void mergeIsOver(SnapshotId merge) {}

  /** The snapshots that other copies fetch; empty for a copy whose segments no other copy uses. */
  default Optional<SnapshotSource> snapshots() {
    return Optional.empty();
  }

  /** The recovery of this copy, and its progress while it starts. */
  CopyRecovery recovery();

  /**
   * Commits all applied operations, so that a restart does not replay them. A copy that receives
   * its segments makes the shown files durable.
   */
  default void flush() {}

  /**
   * Merges its segments and shows the result; blocks until that is done. A copy that receives its
   * segments gets the merged ones from its primary.
   */
  default void forceMerge(ForceMergeRequest request) {}

  /**
   * Rewrites one segment whose encoding differs from the index's settings, at a limited rate, and
   * shows the result; blocks until then. If stopped, the segment stays unchanged. A copy that
   * receives its segments rewrites none.
   */
  default Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    return Reencoded.NOTHING;
  }

  /** Commits all applied operations and releases all resources; the folder stays. */
  @Override
  void close();
}
