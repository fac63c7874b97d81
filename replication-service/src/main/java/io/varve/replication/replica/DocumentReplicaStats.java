package io.varve.replication.replica;

import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyStats;
import java.util.List;

/** The progress and the statistics of a document replica. */
record DocumentReplicaStats(CopyContext context, OffsetWatcher visible) {

  CopyProgress progress(DocumentReplicaLife.Phase phase) {
    DocumentReplicaParts parts = phase.parts().orElse(null);
    long nowMillis = context.node().clock().millis();
    long oldestMillis = parts == null ? 0 : parts.applier().oldestUnshownMillis();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        false,
        phase.state().name(),
        parts == null ? 0 : parts.applier().newestTerm(),
        phase.engine().map(ShardEngine::generation).orElse(-1L),
        parts == null ? 0 : parts.applier().appliedOffset().current(),
        parts == null ? -1 : parts.applier().appliedSeqNo().current(),
        visible.current(),
        0,
        0,
        oldestMillis == 0 ? 0 : Math.max(0, nowMillis - oldestMillis),
        parts == null ? -1 : parts.upkeep().lastLagMillis(),
        0,
        0,
        nowMillis,
        phase.stalledBy().orElse(null));
  }

  CopyStats stats(DocumentReplicaLife.Phase phase, DocumentReplicaParts parts) {
    return CopyStatsOf.engine(
        progress(phase),
        parts.engine().stats(),
        context.folder(),
        new CopyStatsOf.Own(
            parts.applier().appliedSeqNo().current(),
            parts.upkeep().uncommittedOperations(),
            context.mappingVersion(),
            parts.upkeep().commits(),
            visible.waiting(),
            List.of(),
            CopyStatsOf.Transfers.NONE));
  }
}
