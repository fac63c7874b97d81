package io.varve.host;

import io.varve.engine.EngineStats;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyStats;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combines the statistics of an engine with those of its copy. */
public final class CopyStatsOf {

  /**
   * The statistics that the copy counts itself.
   *
   * @param appliedSeqNo its local checkpoint
   * @param refreshListeners the number of requests that wait for a refresh
   * @param byStatusClass answers to the items of writes: 1xx, 2xx …
   */
  public record Own(
      long appliedSeqNo,
      long uncommittedOperations,
      long mappingVersion,
      long periodicCommits,
      int refreshListeners,
      List<Long> byStatusClass,
      Transfers transfers) {}

  /**
   * The transfers of the copy.
   *
   * @param uploads of a primary that has a segment store
   * @param downloads the downloads from the segment store
   * @param ahead merged segments
   */
  public record Transfers(
      CopyStats.@Nullable Uploads uploads,
      CopyStats.Downloads downloads,
      CopyStats.Copied copied,
      CopyStats.Ahead ahead) {
    public static final Transfers NONE =
        new Transfers(null, CopyStats.Downloads.NONE, CopyStats.Copied.NONE, CopyStats.Ahead.NONE);
  }

  private CopyStatsOf() {}

  public static CopyStats engine(CopyProgress progress, EngineStats engine, Path folder, Own own) {
    EngineStats.Counters counters = engine.counters();
    EngineStats.Writes writes = counters.writes();
    EngineStats.Upkeep upkeep = counters.upkeep();
    return new CopyStats(
        progress,
        engine.contents(),
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
                upkeep.refreshes(),
                upkeep.lookupRefreshes(),
                upkeep.warms(),
                own.refreshListeners()),
            upkeep.merges().with(own.transfers().ahead()),
            new CopyStats.Flushes(upkeep.commits(), own.periodicCommits())),
        new CopyStats.SeqNos(
            engine.maxSeqNo(),
            own.appliedSeqNo(),
            own.uncommittedOperations(),
            own.mappingVersion()),
        new CopyStats.Kept(
            engine.commit(),
            folder.toString(),
            own.transfers().uploads(),
            own.transfers().downloads(),
            own.transfers().copied()));
  }
}
