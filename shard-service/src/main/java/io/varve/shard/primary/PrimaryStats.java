package io.varve.shard.primary;

import io.varve.events.CopyProgress;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.rpc.CopyStats;

/** The progress and the statistics of a primary. */
record PrimaryStats(
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
                store.uploads(),
                store.downloads(),
                snapshots.sent().stats(0, 0, 0, 0, 0),
                merges.stats(snapshots.sent()))));
  }
}
