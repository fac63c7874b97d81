package io.varve.shard.primary;

import io.varve.events.CopyProgress;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.rpc.CopyStats;

/** What a primary says of itself: to the cluster, after each step, and to who asks for figures. */
record PrimaryFigures(
    CopyContext context,
    long term,
    AppliedOperations applied,
    PublishedSnapshots snapshots,
    PrimaryStore store,
    MergesAhead merges) {

  CopyProgress progress(PrimaryLife.Phase phase, long visibleSeqNo) {
    PrimaryParts parts = phase.parts().orElse(null);
    long nowMillis = context.node().clock().millis();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        true,
        phase.state().name(),
        term,
        snapshots.newest().map(manifest -> manifest.generation()).orElse(-1L),
        parts == null ? 0 : parts.applied().position().nextOffset(),
        applied.seqNo().current(),
        visibleSeqNo,
        0,
        0,
        parts == null ? 0 : parts.refresher().millisBehind(),
        -1,
        0,
        0,
        nowMillis);
  }

  CopyStats stats(CopyProgress progress, PrimaryParts parts, int refreshListeners) {
    return CopyStatsOf.engine(
        progress,
        parts.engine().stats(),
        context.folder(),
        new CopyStatsOf.Own(
            applied.seqNo().current(),
            parts.committer().uncommittedOperations(),
            context.mappingVersion(),
            parts.committer().periodicCommits(),
            refreshListeners,
            parts.writes().byStatusClass(),
            new CopyStatsOf.Transfers(
                store.figures(),
                store.downloads(),
                snapshots.sent().figures(0, 0, 0, 0, 0),
                merges.figures(snapshots.sent()))));
  }
}
