package io.varve.replication.replica;

import io.varve.engine.EngineStats;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.host.RecoveryProgress;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyStats;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The progress and the statistics of a segment replica. */
final class ReplicaStats {

  /** The interval of progress reports within a round; a shorter round reports only its end. */
  private static final long REPORT_MILLIS = 100;

  private final CopyContext context;
  private final CopyRounds rounds;
  private final OffsetWatcher visible;
  private final RecoveryProgress recovery;
  private final LongAdder syncs = new LongAdder();
  private volatile long bytesBehind;
  private volatile long lastLagMillis = -1;
  private volatile long lastReportMillis;
  private volatile @Nullable String unreadable;

  ReplicaStats(
      CopyContext context, CopyRounds rounds, OffsetWatcher visible, RecoveryProgress recovery) {
    this.context = context;
    this.recovery = recovery;
    this.rounds = rounds;
    this.visible = visible;
  }

  void roundBegins() {
    lastReportMillis = now();
  }

  /** The current round still needs that many bytes. */
  void missing(long bytes) {
    bytesBehind = bytes;
    if (now() - lastReportMillis >= REPORT_MILLIS) {
      lastReportMillis = now();
      context.host().progressed();
    }
  }

  /** The copy is started: its recovery is done. */
  void started() {
    recovery.enter(RecoveryProgress.Stage.DONE);
  }

  /** This process can't read the newest manifest; {@code null} if it can. */
  void unreadable(@Nullable String reason) {
    unreadable = reason;
  }

  /** Whether this process can't read the newest manifest. */
  boolean isUnreadable() {
    return unreadable != null;
  }

  void installed(Manifest manifest) {
    unreadable = null;
    lastLagMillis = Math.max(0, now() - manifest.createdMillis());
    context.host().shown(lastLagMillis);
  }

  /** The shown files were made durable. */
  void synced() {
    syncs.increment();
  }

  /** The missing bytes for peers that wait for this copy; unknown before a round is planned. */
  long missingBytes() {
    long bytes = bytesBehind;
    return bytes == 0 ? SnapshotLease.Answer.UNKNOWN : bytes;
  }

  private long now() {
    return context.node().clock().millis();
  }

  CopyProgress progress(SegmentReplicaLife.Phase phase) {
    ReplicaParts parts = phase.parts().orElse(null);
    Manifest shown = parts == null ? null : parts.engine().installed();
    CopyRounds.Behind behind = rounds.behind();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        false,
        phase.state().name(),
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
        now(),
        unreadable);
  }

  CopyStats stats(SegmentReplicaLife.Phase phase, EngineStats shown) {
    return CopyStatsOf.engine(
        progress(phase),
        shown,
        context.folder(),
        new CopyStatsOf.Own(
            visible.current(),
            0,
            context.mappingVersion(),
            syncs.sum(),
            visible.waiting(),
            List.of(),
            phase.parts().map(ReplicaStats::transfers).orElse(CopyStatsOf.Transfers.NONE)));
  }

  private static CopyStatsOf.Transfers transfers(ReplicaParts parts) {
    SegmentFollower follower = parts.follower();
    return new CopyStatsOf.Transfers(
        null,
        follower.fromStore(),
        follower.copied(parts.opening().bytes(), parts.snapshots().sent()),
        follower.merged().stats(parts.snapshots().sent()));
  }
}
