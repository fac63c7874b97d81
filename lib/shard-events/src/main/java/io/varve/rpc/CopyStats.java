package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.CopyProgress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the tables of shards and indices and the statistics tell of one copy, as its node
 * counts it since the copy was opened.
 */
public record CopyStats(
    CopyProgress progress, Contents contents, Activity activity, SeqNos seqNos, Kept kept) {

  public static final int STATUS_CLASSES = 5;

  /**
   * What is there.
   *
   * @param docs live documents that a search sees
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

  /** What was done. */
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

  /** Times that something was done, how long it took altogether, how many are under way. */
  public record Phase(long total, long millis, long current) {
    public static final Phase NONE = new Phase(0, 0, 0);
  }

  /**
   * Writes: on a primary those that clients sent, on a replica those that it applied.
   *
   * @param failed index operations that were refused
   * @param noops updates that changed nothing
   * @param throttleMillis waits for merges that could not keep up
   * @param byStatusClass items answered with 1xx, 2xx …
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

  /** Reads of one document by id. */
  public record Gets(Phase exists, Phase missing, long current) {
    public static final Gets NONE = new Gets(Phase.NONE, Phase.NONE, 0);
  }

  /** Searches on this copy alone; {@code groups} by the names that searches gave themselves. */
  public record Search(
      long openContexts, SearchPhases phases, Map<String, SearchPhases> groups, Caches caches) {
    public static final Search NONE = new Search(0, SearchPhases.NONE, Map.of(), Caches.NONE);
  }

  /**
   * The parts of searches, and the contexts that outlive a request.
   *
   * @param concurrentQuery those queries of which several slices were looked at at the same time;
   *     none, in answers of nodes that don't say
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

  /** What is kept in memory for searches; {@code fielddataBytes} by field. */
  public record Caches(Cache query, Cache request, Map<String, Long> fielddataBytes) {
    public static final Caches NONE = new Caches(Cache.NONE, Cache.NONE, Map.of());
  }

  /**
   * One cache.
   *
   * @param entries put in so far
   */
  public record Cache(long memoryBytes, long hits, long misses, long entries, long evictions) {
    public static final Cache NONE = new Cache(0, 0, 0, 0, 0);
  }

  /**
   * Refreshes.
   *
   * @param external those that searches began to see
   * @param internal those for look-ups alone
   * @param warmers that had something to make ready before a reader was shown
   * @param listeners who waits for one
   */
  public record Refreshes(Phase external, Phase internal, Phase warmers, int listeners) {
    public static final Refreshes NONE = new Refreshes(Phase.NONE, Phase.NONE, Phase.NONE, 0);
  }

  /** Merges of segments; {@code ahead} what of them went to other copies before a manifest. */
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
   * Merged segments that go to other copies before a manifest names them.
   *
   * @param sends of a primary: segments, and for how long their merges waited for the other copies
   * @param failed those that some copy did not have in the end
   * @param sent by this copy; replicas send too, since they get segments from each other
   */
  public record Ahead(Phase sends, long failed, Moved sent, Moved received) {
    public static final Ahead NONE = new Ahead(Phase.NONE, 0, Moved.NONE, Moved.NONE);
  }

  /** Bytes of files, and the time that moving them took altogether. */
  public record Moved(long bytes, long millis) {
    public static final Moved NONE = new Moved(0, 0);
  }

  /** Documents and their bytes. */
  public record Volume(long docs, long bytes) {
    public static final Volume NONE = new Volume(0, 0);
  }

  /**
   * Commits to disk.
   *
   * @param periodic those that nobody asked for
   */
  public record Flushes(Phase flushes, long periodic) {
    public static final Flushes NONE = new Flushes(Phase.NONE, 0);
  }

  /**
   * How far the copy is.
   *
   * @param max the highest seq_no that this copy knows of, -1 for none
   * @param localCheckpoint the highest seq_no up to which all operations are applied here, -1 for
   *     none
   * @param uncommittedOperations operations that a restart would replay
   */
  public record SeqNos(
      long max, long localCheckpoint, long uncommittedOperations, long mappingVersion) {}

  /**
   * Where the copy's segments are kept.
   *
   * @param dataPath its folder
   * @param uploads what went to the segment store, {@code null} for a copy that sends nothing there
   * @param downloads what came from there
   * @param copied what came from other copies, and went to them
   */
  public record Kept(
      Commit commit,
      String dataPath,
      @Nullable Uploads uploads,
      Downloads downloads,
      Copied copied) {}

  /**
   * Bytes of segment files between copies, by who gave them.
   *
   * @param aheadBytes of merged segments, before a manifest named them, whoever gave them
   * @param linkedBytes that got a second name on the same disk
   * @param openingBytes that searches read before their file was here, whoever gave them
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

  /** Bytes that came from the segment store, and the time for which they were waited. */
  public record Downloads(long bytes, long millis) {
    public static final Downloads NONE = new Downloads(0, 0);
  }

  /**
   * A primary's uploads to the segment store.
   *
   * @param publishedMillis when the newest manifest was made, 0 for none
   * @param storedMillis when the newest was made that is in the store, 0 for none
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
   * @param manifests published and not in the store
   * @param bytes of the newest manifest's files, those that are not in the store
   * @param millis for how long something has been published that is not in the store
   * @param rejections requests that were refused because of it
   */
  public record UploadLag(long manifests, long bytes, long millis, long rejections) {}

  /** Of the last uploads that succeeded. */
  public record UploadAverages(double bytes, double millis, double bytesPerSecond) {}

  /**
   * @param inARow those that failed since the last that did not
   * @param millis that the succeeded ones took together
   */
  public record Attempts(long succeeded, long failed, int inARow, long millis) {}

  /**
   * @param last of the last that succeeded
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
