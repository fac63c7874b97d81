package io.varve.engine;

import io.varve.rpc.CopyStats;

/** Statistics of one copy since it was opened. */
public record EngineStats(
    CopyStats.Contents contents,
    long maxSeqNo,
    long visibleSeqNo,
    long generation,
    CopyStats.Commit commit,
    Counters counters) {

  /** Operation counters. */
  public record Counters(
      Writes writes, CopyStats.Gets gets, CopyStats.Search searches, Upkeep upkeep) {}

  /**
   * Operations applied.
   *
   * @param skipped operations that had already been applied
   */
  public record Writes(
      CopyStats.Phase index,
      CopyStats.Phase delete,
      long skipped,
      long failed,
      long noops,
      long stalledMillis) {}

  /** Background operations. */
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
