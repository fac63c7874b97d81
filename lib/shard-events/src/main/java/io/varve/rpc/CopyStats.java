package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.CopyProgress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statistics of one copy, counted by its node since the copy was opened. */
public record CopyStats(
    CopyProgress progress, Contents contents, Activity activity, SeqNos seqNos, Kept kept) {

  public static final int STATUS_CLASSES = 5;

  /**
   * Contents.
   *
   * @param docs live documents visible to searches
   * @param versionMapBytes memory for documents that are not in a refreshed segment yet
   * @param writerBytes memory for documents that are not in a segment yet
   */
  public record Contents(
      long docs,
      long deletedDocs,
      long storeBytes,
      int segments,
      long versionMapBytes,
      long writerBytes) {}

  /** Operations performed. */
  public record Activity(
      Indexing indexing,
      Gets gets,
      Search search,
      Refreshes refresh,
      Merges merges,
      Flushes flush) {
    public static final Activity NONE =
        new Activity(
            Indexing.NONE, Gets.NONE, Search.NONE, Refreshes.NONE, Merges.NONE, Flushes.NONE);
  }

  /** Executions of an operation: total number, total time, number in progress. */
  public record Phase(long total, long millis, long current) {
    public static final Phase NONE = new Phase(0, 0, 0);
  }

  /**
   * Writes: on a primary those of clients, on a replica those that it applied.
   *
   * @param failed rejected index operations
   * @param noops updates without effect
   * @param throttleMillis time spent waiting for merges
   * @param byStatusClass items by status class, 1xx, 2xx …
   */
  public record Indexing(
      Phase index,
      Phase delete,
      long failed,
      long noops,
      long throttleMillis,
      List<Long> byStatusClass) {
    public static final Indexing NONE = new Indexing(Phase.NONE, Phase.NONE, 0, 0, 0, List.of());
  }

  /** Gets of a single document. */
  public record Gets(Phase exists, Phase missing, long current) {
    public static final Gets NONE = new Gets(Phase.NONE, Phase.NONE, 0);
  }

  /**
   * Searches on this copy.
   *
   * @param groups by the search's stats groups
   * @param idleReactivations searches that refreshed the copy because it was search idle; none in
   *     answers of nodes that don't report them
   */
  public record Search(
      long openContexts,
      SearchPhases phases,
      Map<String, SearchPhases> groups,
      Caches caches,
      @JsonSetter(nulls = Nulls.AS_EMPTY) long idleReactivations) {
    public static final Search NONE = new Search(0, SearchPhases.NONE, Map.of(), Caches.NONE, 0);
  }

  /**
   * Search phases and reader contexts.
   *
   * @param concurrentQuery queries that searched several slices concurrently; none in answers of
   *     nodes that don't report them
   * @param slices all slices of those
   */
  public record SearchPhases(
      Phase query,
      @Nullable Phase concurrentQuery,
      @JsonSetter(nulls = Nulls.AS_EMPTY) long slices,
      Phase fetch,
      Phase scroll,
      Phase pointInTime) {
    public static final SearchPhases NONE =
        new SearchPhases(Phase.NONE, Phase.NONE, 0, Phase.NONE, Phase.NONE, Phase.NONE);

    @Override
    public Phase concurrentQuery() {
      return concurrentQuery == null ? Phase.NONE : concurrentQuery;
    }
  }

  /** Caches for searches; {@code fielddataBytes} by field. */
  public record Caches(Cache query, Cache request, Map<String, Long> fielddataBytes) {
    public static final Caches NONE = new Caches(Cache.NONE, Cache.NONE, Map.of());
  }

  /**
   * A cache.
   *
   * @param entries entries added so far
   */
  public record Cache(long memoryBytes, long hits, long misses, long entries, long evictions) {
    public static final Cache NONE = new Cache(0, 0, 0, 0, 0);
  }

  /**
   * Refreshes.
   *
   * @param external visible to searches
   * @param internal for document lookups only
   * @param warmers refreshes that warmed a reader before it became visible
   * @param listeners requests waiting for a refresh
   */
  public record Refreshes(Phase external, Phase internal, Phase warmers, int listeners) {
    public static final Refreshes NONE = new Refreshes(Phase.NONE, Phase.NONE, Phase.NONE, 0);
  }

  /**
   * Segment merges; {@code ahead} counts merged segments sent to other copies before a manifest.
   */
  public record Merges(
      Phase merges,
      Volume current,
      Volume total,
      long throttledMillis,
      long stoppedMillis,
      Ahead ahead) {
    public static final Merges NONE =
        new Merges(Phase.NONE, Volume.NONE, Volume.NONE, 0, 0, Ahead.NONE);

    public Merges with(Ahead newAhead) {
      return new Merges(merges, current, total, throttledMillis, stoppedMillis, newAhead);
    }
  }

  /**
   * Merged segments sent to other copies before a manifest names them.
   *
   * @param sends by a primary: number of segments, and the time for which merges waited for the
   *     other copies
   * @param failed sends that some copy did not complete
   * @param sent by this copy; replicas also send, since they fetch segments from each other
   */
  public record Ahead(Phase sends, long failed, Moved sent, Moved received) {
    public static final Ahead NONE = new Ahead(Phase.NONE, 0, Moved.NONE, Moved.NONE);
  }

  /** Bytes of files transferred, and the total time. */
  public record Moved(long bytes, long millis) {
    public static final Moved NONE = new Moved(0, 0);
  }

  /** Documents and their size in bytes. */
  public record Volume(long docs, long bytes) {
    public static final Volume NONE = new Volume(0, 0);
  }

  /**
   * Commits to disk.
   *
   * @param periodic commits not requested by a client
   */
  public record Flushes(Phase flushes, long periodic) {
    public static final Flushes NONE = new Flushes(Phase.NONE, 0);
  }

  /**
   * Sequence numbers of the copy.
   *
   * @param max the highest known seq_no, -1 for none
   * @param localCheckpoint the highest seq_no up to which all operations are applied here, -1 for
   *     none
   * @param uncommittedOperations operations that a restart would replay
   */
  public record SeqNos(
      long max, long localCheckpoint, long uncommittedOperations, long mappingVersion) {}

  /**
   * Storage of the copy's segments.
   *
   * @param dataPath its folder
   * @param uploads to the segment store, {@code null} for a copy that uploads nothing
   * @param downloads from the segment store
   * @param copied from and to other copies
   */
  public record Kept(
      Commit commit,
      String dataPath,
      @Nullable Uploads uploads,
      Downloads downloads,
      Copied copied) {}

  /**
   * Bytes of segment files transferred between copies, by source.
   *
   * @param aheadBytes of merged segments, before a manifest named them, from any source
   * @param linkedBytes hard-linked on the same disk
   * @param openingBytes read by searches before their file was local, from any source
   */
  public record Copied(
      long fromPrimaryBytes,
      long fromReplicaBytes,
      long aheadBytes,
      long openingBytes,
      long linkedBytes,
      long sentBytes,
      long sentWireBytes) {
    public static final Copied NONE = new Copied(0, 0, 0, 0, 0, 0, 0);
  }

  /** Bytes downloaded from the segment store, and the time spent waiting for them. */
  public record Downloads(long bytes, long millis) {
    public static final Downloads NONE = new Downloads(0, 0);
  }

  /**
   * A primary's uploads to the segment store.
   *
   * @param publishedMillis creation time of the newest manifest, 0 for none
   * @param storedMillis creation time of the newest stored manifest, 0 for none
   */
  public record Uploads(
      long publishedMillis,
      long storedMillis,
      UploadLag lag,
      Attempts attempts,
      UploadBytes bytes,
      UploadAverages averages) {

    public long bytesLag() {
      return lag.bytes();
    }

    public long millisLag() {
      return lag.millis();
    }
  }

  /**
   * @param manifests published but not stored
   * @param bytes of the newest manifest's files that are not stored
   * @param millis time since which a published manifest has not been stored
   * @param rejections requests rejected because of the lag
   */
  public record UploadLag(long manifests, long bytes, long millis, long rejections) {}

  /** Averages over the last successful uploads. */
  public record UploadAverages(double bytes, double millis, double bytesPerSecond) {}

  /**
   * @param inARow consecutive failures since the last success
   * @param millis total time of the successful attempts
   */
  public record Attempts(long succeeded, long failed, int inARow, long millis) {}

  /**
   * @param last bytes of the last successful upload
   */
  public record UploadBytes(long succeeded, long failed, long last) {}

  /** The last commit. */
  public record Commit(String id, long generation, Map<String, String> userData, long docs) {
    public static final Commit NONE = new Commit("", 0, Map.of(), 0);
  }

  public Commit commit() {
    return kept.commit();
  }

  public String dataPath() {
    return kept.dataPath();
  }

  public long docs() {
    return contents.docs();
  }

  public long deletedDocs() {
    return contents.deletedDocs();
  }

  public long storeBytes() {
    return contents.storeBytes();
  }

  public int segments() {
    return contents.segments();
  }

  public long mappingVersion() {
    return seqNos.mappingVersion();
  }
}
