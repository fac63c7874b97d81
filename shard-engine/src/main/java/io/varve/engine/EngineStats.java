package io.varve.engine;

import java.util.List;

/**
 * Figures of one copy since it was opened.
 *
 * @param docs documents that searches see
 * @param deletedDocs documents in the segments that they don't see
 * @param versionMapBytes memory held for documents that are not yet in a refreshed segment
 */
public record EngineStats(
    long docs,
    long deletedDocs,
    long storeBytes,
    long maxSeqNo,
    long visibleSeqNo,
    long generation,
    long versionMapBytes,
    long bufferBytes,
    Counters counters,
    List<SegmentStats> segments) {

  public EngineStats {
    segments = List.copyOf(segments);
  }

  /** What happened so far; times in nanoseconds. */
  public record Counters(
      long indexed,
      long deleted,
      long skipped,
      long indexNanos,
      long gets,
      long getsFound,
      long getNanos,
      long refreshes,
      long refreshNanos,
      long commits,
      long commitNanos,
      long merges,
      long currentMerges,
      long mergedDocs,
      long mergedBytes,
      long mergeNanos,
      long searches,
      long searchNanos) {

    public static final Counters NONE =
        new Counters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** One segment of the reader that searches use. */
  public record SegmentStats(
      String name,
      int docs,
      int deletedDocs,
      long sizeBytes,
      boolean compound,
      String luceneVersion) {}
}
