package io.varve.node;

import io.varve.engine.EngineStats;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyStats;

/** Translates an engine's figures into those that travel. */
public final class CopyStatsOf {

  private CopyStatsOf() {}

  /** {@code appliedSeqNo} is the copy's local checkpoint. */
  public static CopyStats engine(
      CopyProgress progress,
      EngineStats figures,
      long appliedSeqNo,
      long uncommittedOperations,
      long mappingVersion) {
    EngineStats.Counters counters = figures.counters();
    return new CopyStats(
        progress,
        figures.docs(),
        figures.deletedDocs(),
        figures.storeBytes(),
        figures.segments().size(),
        figures.versionMapBytes() + figures.bufferBytes(),
        new CopyStats.Indexing(
            counters.indexed(),
            millis(counters.indexNanos()),
            0,
            counters.deleted(),
            0,
            counters.skipped(),
            0),
        new CopyStats.Gets(
            counters.gets(),
            millis(counters.getNanos()),
            counters.getsFound(),
            counters.gets() - counters.getsFound()),
        new CopyStats.Search(counters.searches(), millis(counters.searchNanos()), 0, 0, 0),
        new CopyStats.Refreshes(counters.refreshes(), millis(counters.refreshNanos())),
        new CopyStats.Merges(
            counters.currentMerges(),
            0,
            0,
            counters.merges(),
            millis(counters.mergeNanos()),
            counters.mergedDocs(),
            counters.mergedBytes()),
        new CopyStats.Flushes(counters.commits(), millis(counters.commitNanos())),
        figures.maxSeqNo(),
        appliedSeqNo,
        appliedSeqNo,
        uncommittedOperations,
        mappingVersion);
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }
}
