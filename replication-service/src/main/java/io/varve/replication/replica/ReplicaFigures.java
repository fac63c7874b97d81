package io.varve.replication.replica;

import io.varve.engine.EngineStats;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.host.ShardCopy;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyStats;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How far a segment replica is, and what it did. */
final class ReplicaFigures {

  /** Between two reports from within a round; a short one says only what came of it. */
  private static final long REPORT_MILLIS = 100;

  private final CopyContext context;
  private final CopyRounds rounds;
  private final OffsetWatcher visible;
  private final LongAdder syncs = new LongAdder();
  private volatile long bytesBehind;
  private volatile long lastLagMillis = -1;
  private volatile long lastReportMillis;

  ReplicaFigures(CopyContext context, CopyRounds rounds, OffsetWatcher visible) {
    this.context = context;
    this.rounds = rounds;
    this.visible = visible;
  }

  void roundBegins() {
    lastReportMillis = now();
  }

  /** The round under way still needs so much. */
  void missing(long bytes) {
    bytesBehind = bytes;
    if (now() - lastReportMillis >= REPORT_MILLIS) {
      lastReportMillis = now();
      context.host().progressed();
    }
  }

  void installed(Manifest manifest) {
    lastLagMillis = Math.max(0, now() - manifest.createdMillis());
  }

  /** What is shown was made durable. */
  void synced() {
    syncs.increment();
  }

  /** What those who wait for this copy are told: before a round is planned nobody knows. */
  long missingBytes() {
    long bytes = bytesBehind;
    return bytes == 0 ? SnapshotLease.Answer.UNKNOWN : bytes;
  }

  private long now() {
    return context.node().clock().millis();
  }

  /**
   * @param parts null before the folder is open
   */
  CopyProgress progress(ShardCopy.State state, @Nullable ReplicaParts parts) {
    Manifest shown = parts == null ? null : parts.engine().installed();
    CopyRounds.Behind behind = rounds.behind();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        false,
        state.name(),
        shown == null ? 0 : shown.term(),
        shown == null ? -1 : shown.generation(),
        shown == null ? 0 : shown.nextOffset(),
        shown == null ? -1 : shown.visibleSeqNo(),
        visible.current(),
        bytesBehind,
        behind.checkpoints(),
        behind.millis(),
        lastLagMillis,
        parts == null ? 0 : parts.follower().filesFetched(),
        parts == null ? 0 : parts.follower().bytesFetched(),
        now());
  }

  /**
   * @param parts null before the folder is open
   */
  CopyStats stats(ShardCopy.State state, @Nullable ReplicaParts parts, EngineStats shown) {
    return CopyStatsOf.engine(
        progress(state, parts),
        shown,
        context.folder(),
        new CopyStatsOf.Own(
            visible.current(),
            0,
            context.mappingVersion(),
            syncs.sum(),
            visible.waiting(),
            List.of(),
            parts == null ? CopyStatsOf.Transfers.NONE : transfers(parts)));
  }

  private static CopyStatsOf.Transfers transfers(ReplicaParts parts) {
    SegmentFollower follower = parts.follower();
    return new CopyStatsOf.Transfers(
        null,
        follower.fromStore(),
        follower.copied(parts.opening().bytes(), parts.snapshots().sent()),
        follower.merged().figures(parts.snapshots().sent()));
  }
}
