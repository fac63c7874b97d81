package io.varve.engine;

import io.varve.rpc.CopyStats;

/** Figures of one copy since it was opened. */
public record EngineStats(
    CopyStats.Contents contents,
    long maxSeqNo,
    long visibleSeqNo,
    long generation,
    CopyStats.Commit commit,
    Counters counters) {

  /** What happened so far. */
  public record Counters(
      Writes writes, CopyStats.Gets gets, CopyStats.Search searches, Upkeep upkeep) {}

  /**
   * What was applied.
   *
   * @param skipped operations that had been applied before
   */
  public record Writes(
      CopyStats.Phase index,
      CopyStats.Phase delete,
      long skipped,
      long failed,
      long noops,
      long stalledMillis) {}

  /** What a copy does by itself. */
  public record Upkeep(
      CopyStats.Phase refreshes,
      CopyStats.Phase lookupRefreshes,
      CopyStats.Phase warms,
      CopyStats.Phase commits,
      CopyStats.Merges merges) {}

  public long docs() {
    return contents.docs();
  }

  public long deletedDocs() {
    return contents.deletedDocs();
  }

  public long storeBytes() {
    return contents.storeBytes();
  }
}
