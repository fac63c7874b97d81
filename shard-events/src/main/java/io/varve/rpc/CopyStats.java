package io.varve.rpc;

import io.varve.events.CopyProgress;

/**
 * Everything that the tables of shards and indices and the statistics tell of one copy, as its node
 * counts it since the copy was opened.
 *
 * @param docs live documents that a search sees
 * @param maxSeqNo the highest seq_no that this copy knows of, -1 for none
 * @param localCheckpoint the highest seq_no up to which all operations are applied here, -1 for
 *     none
 * @param uncommittedOperations operations that a restart would replay
 */
public record CopyStats(
    CopyProgress progress,
    long docs,
    long deletedDocs,
    long storeBytes,
    int segments,
    long segmentMemoryBytes,
    Indexing indexing,
    Gets gets,
    Search search,
    Refreshes refresh,
    Merges merges,
    Flushes flush,
    long maxSeqNo,
    long localCheckpoint,
    long globalCheckpoint,
    long uncommittedOperations,
    long mappingVersion) {

  /** Writes: on a primary those that clients sent, on a replica those that it applied. */
  public record Indexing(
      long indexTotal,
      long indexMillis,
      long indexFailed,
      long deleteTotal,
      long deleteMillis,
      long noopTotal,
      long current) {
    public static final Indexing NONE = new Indexing(0, 0, 0, 0, 0, 0, 0);
  }

  /** Reads of one document by id. */
  public record Gets(long total, long millis, long exists, long missing) {
    public static final Gets NONE = new Gets(0, 0, 0, 0);
  }

  /** Searches on this copy alone. */
  public record Search(
      long queryTotal, long queryMillis, long queryCurrent, long fetchTotal, long fetchMillis) {
    public static final Search NONE = new Search(0, 0, 0, 0, 0);
  }

  /** Times that searches began to see more. */
  public record Refreshes(long total, long millis) {
    public static final Refreshes NONE = new Refreshes(0, 0);
  }

  /** Merges of segments. */
  public record Merges(
      long current,
      long currentDocs,
      long currentBytes,
      long total,
      long millis,
      long docs,
      long bytes) {
    public static final Merges NONE = new Merges(0, 0, 0, 0, 0, 0, 0);
  }

  /** Commits to disk. */
  public record Flushes(long total, long millis) {
    public static final Flushes NONE = new Flushes(0, 0);
  }
}
