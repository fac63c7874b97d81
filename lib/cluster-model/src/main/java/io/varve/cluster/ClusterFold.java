package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.TermFence;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds the cluster log into the cluster state: applies the events that {@link TermFence} accepts
 * and ignores all others. Two readers at the same offset hold equal states, wherever they started.
 * Not thread-safe.
 *
 * <p>A log that was never truncated begins at offset 0, before the first fence. A truncated log
 * begins with the first part of a complete snapshot. That record was accepted, or the log would not
 * begin with it ({@link LogSnapshots}), so its term and seq_no are the state of the fence there.
 * Until the last part is read, the state is empty ({@link #isLoading}).
 *
 * <p>A fold of another cluster's log skips events that this release can't read: see {@link
 * SkippedEvents}.
 */
public final class ClusterFold {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterFold.class);

  private TermFence fence = new TermFence();
  private boolean begun;
  private @Nullable List<ClusterEvent.SnapshotPart> loading;
  private DeletedIndexUuids deletedIndices = new DeletedIndexUuids();
  private final LogSnapshots snapshots = new LogSnapshots();
  private final @Nullable SkippedEvents skipped;
  private ClusterState state = ClusterState.EMPTY;

  /** A fold of this cluster's log, all of which this release can read. */
  public ClusterFold() {
    this(null);
  }

  private ClusterFold(@Nullable SkippedEvents skipped) {
    this.skipped = skipped;
  }

  /**
   * A fold of another cluster's log.
   *
   * @param skipped gets the events that this release can't read
   */
  static ClusterFold ofOtherCluster(SkippedEvents skipped) {
    return new ClusterFold(skipped);
  }

  /**
   * @throws MalformedRecordException the record can't be decoded, or the log does not begin at
   *     offset 0 or with a snapshot
   */
  public TermFence.Verdict add(StoredRecord stored) {
    try {
      return fold(stored);
    } catch (MalformedRecordException e) {
      if (skipped != null) {
        skipped.unreadableFrom(stored, e);
      }
      throw e;
    }
  }

  private TermFence.Verdict fold(StoredRecord stored) {
    if (!begun) {
      begun = true;
      if (stored.offset() > 0) {
        beginBehindTheStart(stored);
      }
    }
    TermFence.Verdict verdict = fence.judge(stored.record());
    switch (verdict) {
      case FENCE_WON -> {
        requireNotLoading(stored);
        snapshots.fenced();
        state = state.ledBy(RecordHeader.fenceNodeId(stored.record().header()), fence.term());
      }
      case ACCEPTED -> {
        if (skipped == null || loading != null) {
          accepted(stored, event(stored));
        } else {
          accepted(stored, skipped);
        }
      }
      case REVIVED ->
          throw new MalformedRecordException(
              "a revival at offset " + stored.offset() + " of the cluster log");
      case FENCE_LOST, STALE_TERM, OUT_OF_SEQUENCE -> {}
    }
    return verdict;
  }

  private void accepted(StoredRecord stored, ClusterEvent event) {
    snapshots.accepted(stored, event);
    if (loading == null) {
      state = state.apply(event);
      deletedIndices.add(event);
    } else {
      load(stored, event, loading);
    }
  }

  private void accepted(StoredRecord stored, SkippedEvents unread) {
    ClusterEvent event = unread.read(stored, state).orElse(null);
    ClusterState before = state;
    state = before.at(before.version() + 1);
    if (event == null) {
      return;
    }
    try {
      state = before.apply(event);
      deletedIndices.add(event);
    } catch (IllegalArgumentException | IllegalStateException | NoSuchElementException e) {
      LOG.debug("event at offset {} can't be applied", stored.offset(), e);
      unread.skip(stored, event, before);
    }
  }

  private static ClusterEvent event(StoredRecord stored) {
    byte[] value = Objects.requireNonNull(stored.record().value(), "a cluster event's value");
    return Json.read(value, ClusterEvent.class);
  }

  private void beginBehindTheStart(StoredRecord stored) {
    byte[] packed = stored.record().header();
    if (packed.length > 0) {
      RecordHeader header = RecordHeader.read(packed);
      if (header.kind() == RecordHeader.Kind.DATA
          && event(stored) instanceof ClusterEvent.SnapshotPart part
          && part.part() == 0) {
        fence = new TermFence(header.term(), header.seqNo());
        loading = new ArrayList<>();
        return;
      }
    }
    throw new MalformedRecordException(
        "the cluster log begins at offset "
            + stored.offset()
            + " and not with a snapshot: another program deleted the records before it");
  }

  private void load(
      StoredRecord stored, ClusterEvent event, List<ClusterEvent.SnapshotPart> parts) {
    if (!(event instanceof ClusterEvent.SnapshotPart part) || part.part() != parts.size()) {
      throw incomplete(stored);
    }
    parts.add(part);
    if (parts.size() == part.parts()) {
      ClusterSnapshot snapshot = ClusterSnapshot.read(parts);
      state = snapshot.stateAfter(parts.size());
      deletedIndices = new DeletedIndexUuids(snapshot.deletedIndices());
      loading = null;
    }
  }

  private void requireNotLoading(StoredRecord stored) {
    if (loading != null) {
      throw incomplete(stored);
    }
  }

  private static MalformedRecordException incomplete(StoredRecord stored) {
    return new MalformedRecordException(
        "the snapshot at the start of the cluster log is incomplete; it ends at offset "
            + stored.offset());
  }

  /** Whether the snapshot at the start of the log is not read completely yet. */
  public boolean isLoading() {
    return loading != null;
  }

  public ClusterState state() {
    return state;
  }

  /** The uuids of deleted indices that are still remembered. */
  public Set<String> deletedIndices() {
    return deletedIndices.asSet();
  }

  /** The same uuids in the order of deletion, for a snapshot. */
  public List<String> deletedIndicesOldestFirst() {
    return deletedIndices.oldestFirst();
  }

  /** The records accepted since the newest snapshot. */
  public SnapshotSchedule schedule() {
    return snapshots.schedule();
  }

  /** The offset before which the log is no longer needed; 0 if all of it is needed. */
  public long removableBefore() {
    return snapshots.removableBefore();
  }

  /** The fence state after the last record; owned by this fold. */
  public TermFence fence() {
    return fence;
  }
}
