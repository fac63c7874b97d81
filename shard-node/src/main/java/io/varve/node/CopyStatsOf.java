package io.varve.node;

import io.varve.engine.EngineStats;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyStats;
import java.nio.file.Path;
import java.util.List;

/** Puts an engine's figures together with those of the copy around it. */
public final class CopyStatsOf {

  /**
   * What the copy counts itself.
   *
   * @param appliedSeqNo its local checkpoint
   * @param refreshListeners who waits for a refresh
   * @param byStatusClass answers to the items of writes: 1xx, 2xx …
   */
  public record Own(
      long appliedSeqNo,
      long uncommittedOperations,
      long mappingVersion,
      long periodicCommits,
      int refreshListeners,
      List<Long> byStatusClass) {}

  private CopyStatsOf() {}

  public static CopyStats engine(CopyProgress progress, EngineStats figures, Path folder, Own own) {
    EngineStats.Counters counters = figures.counters();
    EngineStats.Writes writes = counters.writes();
    EngineStats.Upkeep upkeep = counters.upkeep();
    return new CopyStats(
        progress,
        figures.contents(),
        new CopyStats.Activity(
            new CopyStats.Indexing(
                writes.index(),
                writes.delete(),
                writes.failed(),
                writes.noops(),
                writes.stalledMillis(),
                own.byStatusClass()),
            counters.gets(),
            counters.searches(),
            new CopyStats.Refreshes(
                upkeep.refreshes(), upkeep.lookupRefreshes(), own.refreshListeners()),
            upkeep.merges(),
            new CopyStats.Flushes(upkeep.commits(), own.periodicCommits())),
        new CopyStats.SeqNos(
            figures.maxSeqNo(),
            own.appliedSeqNo(),
            own.uncommittedOperations(),
            own.mappingVersion()),
        figures.commit(),
        folder.toString());
  }
}
