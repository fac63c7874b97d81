package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts the statistics of one copy to OpenSearch's sections. Sections for features that Varve
 * does not have (suggesters) contain only zeros.
 */
public final class StatsJson {

  /** The names of sections in responses, keyed by the metric that selects the section. */
  private static final Map<String, String> SECTIONS = new LinkedHashMap<>();

  static {
    for (String name : List.of("docs", "store", "indexing", "get", "search")) {
      SECTIONS.put(name, name);
    }
    SECTIONS.put("merge", "merges");
    for (String name :
        List.of(
            "refresh",
            "flush",
            "warmer",
            "query_cache",
            "fielddata",
            "completion",
            "segments",
            "translog",
            "request_cache",
            "recovery")) {
      SECTIONS.put(name, name);
    }
    // Statistics of suggesters are part of the search statistics.
    SECTIONS.put("suggest", "search");
  }

  /**
   * Statistics that relate a copy to the other copies of its shard.
   *
   * @param recoveringFrom the number of replicas that recover from this copy
   */
  public record ShardStatus(SegmentLag lag, int recoveringFrom) {
    public static final ShardStatus NONE = new ShardStatus(new SegmentLag(0, 0, 0), 0);
  }

  /** The lag of a primary's replicas. */
  public record SegmentLag(long maxBytes, long totalBytes, long maxMillis) {}

  private StatsJson() {}

  /** Returns the metrics that can be requested. */
  public static Set<String> names() {
    return SECTIONS.keySet();
  }

  /** Returns the requested sections. {@code files} is used only if sizes of files are requested. */
  public static Map<String, Object> of(
      CopyStats stats, ShardStatus shardStatus, @Nullable CopySegments files, StatsRequest wanted) {
    Map<String, Object> shown = new LinkedHashMap<>();
    SECTIONS.forEach((name, section) -> {
      if (wanted.has(name)) {
        shown.put(section, section(section, stats, shardStatus, files, wanted));
      }
    });
    return shown;
  }

  /** Returns the requested sections for zero copies. */
  public static Map<String, Object> none(StatsRequest wanted) {
    CopySegments none = new CopySegments(List.of());
    return of(resting(none), ShardStatus.NONE, none, wanted);
  }

  /** Returns the statistics of a closed copy, which has only segments. */
  static CopyStats resting(CopySegments segments) {
    return new CopyStats(
        NO_PROGRESS,
        new CopyStats.Contents(0, 0, 0, (int) segments.committed(), 0, 0),
        CopyStats.Activity.NONE,
        new CopyStats.SeqNos(-1, -1, 0, 0),
        new CopyStats.Kept(
            CopyStats.Commit.NONE, "", null, CopyStats.Downloads.NONE, CopyStats.Copied.NONE));
  }

  private static final CopyProgress NO_PROGRESS =
      new CopyProgress(
          "", new ShardId("_na_", 0), "", false, "STARTED", 0, -1, 0, -1, -1, 0, 0, 0, -1, 0, 0, 0);

  private static Map<String, Object> section(
      String section,
      CopyStats stats,
      ShardStatus shardStatus,
      @Nullable CopySegments files,
      StatsRequest wanted) {
    CopyStats.Activity activity = stats.activity();
    CopyStats.Caches caches = activity.search().caches();
    return switch (section) {
      case "docs" -> object("count", stats.docs(), "deleted", stats.deletedDocs());
      case "store" -> object("size_in_bytes", stats.storeBytes(), "reserved_in_bytes", 0L);
      case "indexing" -> ActivityJson.indexing(activity.indexing());
      case "get" -> ActivityJson.gets(activity.gets());
      case "search" -> ActivityJson.search(activity.search(), wanted);
      case "merges" -> ActivityJson.merges(activity.merges());
      case "refresh" -> ActivityJson.refresh(activity.refresh());
      case "flush" -> ActivityJson.flush(activity.flush());
      case "warmer" -> ActivityJson.warmer(activity.refresh().warmers());
      case "query_cache" -> queryCache(caches.query());
      case "fielddata" -> fielddata(caches.fielddataBytes(), wanted.fields().fielddata());
      case "completion" -> object("size_in_bytes", 0L);
      case "segments" -> segments(stats, shardStatus.lag(), files, wanted.files().sizes());
      case "translog" -> log(stats.seqNos().uncommittedOperations());
      case "request_cache" -> requestCache(caches.request());
      case "recovery" -> recovery(stats, shardStatus);
      default -> throw new IllegalArgumentException("no section " + section);
    };
  }

  private static Map<String, Object> queryCache(CopyStats.Cache cache) {
    return object(
        "memory_size_in_bytes", cache.memoryBytes(),
        "total_count", cache.hits() + cache.misses(),
        "hit_count", cache.hits(),
        "miss_count", cache.misses(),
        "cache_size", cache.entries() - cache.evictions(),
        "cache_count", cache.entries(),
        "evictions", cache.evictions());
  }

  private static Map<String, Object> requestCache(CopyStats.Cache cache) {
    return object(
        "memory_size_in_bytes", cache.memoryBytes(),
        "evictions", cache.evictions(),
        "hit_count", cache.hits(),
        "miss_count", cache.misses());
  }

  private static Map<String, Object> fielddata(Map<String, Long> bytes, List<String> patterns) {
    Map<String, Object> shown =
        object(
            "memory_size_in_bytes",
            bytes.values().stream().mapToLong(Long::longValue).sum(),
            "evictions",
            0L);
    Map<String, Object> fields = new TreeMap<>();
    bytes.forEach((field, size) -> {
      if (StatsRequest.matches(patterns, field)) {
        fields.put(field, object("memory_size_in_bytes", size));
      }
    });
    if (!fields.isEmpty()) {
      shown.put("fields", fields);
    }
    return shown;
  }

  private static Map<String, Object> segments(
      CopyStats stats, SegmentLag lag, @Nullable CopySegments files, boolean fileSizes) {
    Map<String, Object> shown =
        object(
            "count", stats.segments(),
            "memory_in_bytes", 0L,
            "terms_memory_in_bytes", 0L,
            "stored_fields_memory_in_bytes", 0L,
            "term_vectors_memory_in_bytes", 0L,
            "norms_memory_in_bytes", 0L,
            "points_memory_in_bytes", 0L,
            "doc_values_memory_in_bytes", 0L,
            "index_writer_memory_in_bytes", stats.contents().writerBytes(),
            "version_map_memory_in_bytes", stats.contents().versionMapBytes(),
            "fixed_bit_set_memory_in_bytes", 0L,
            "max_unsafe_auto_id_timestamp", -1L);
    shown.put(
        "segment_replication",
        object(
            "max_bytes_behind", lag.maxBytes(),
            "total_bytes_behind", lag.totalBytes(),
            "max_replication_lag", lag.maxMillis()));
    shown.put("remote_store", remoteStore(stats.kept().uploads(), stats.kept().downloads()));
    shown.put(
        "stored_fields", fileSizes && files != null ? StoredFieldsShare.byCodec(files) : object());
    shown.put("file_sizes", fileSizes && files != null ? SegmentJson.fileSizes(files) : object());
    return shown;
  }

  /**
   * Returns the transfers of a copy to and from the segment store, and the writes that a primary
   * rejected because its uploads lagged.
   */
  private static Map<String, Object> remoteStore(
      CopyStats.@Nullable Uploads uploads, CopyStats.Downloads downloads) {
    CopyStats.UploadBytes bytes =
        uploads == null ? new CopyStats.UploadBytes(0, 0, 0) : uploads.bytes();
    return object(
        "upload",
        object(
            "total_upload_size",
            object(
                "started_bytes", bytes.succeeded() + bytes.failed(),
                "succeeded_bytes", bytes.succeeded(),
                "failed_bytes", bytes.failed()),
            "refresh_size_lag",
            object(
                "total_bytes", uploads == null ? 0L : uploads.bytesLag(),
                "max_bytes", uploads == null ? 0L : uploads.bytesLag()),
            "max_refresh_time_lag_in_millis",
            uploads == null ? 0L : uploads.millisLag(),
            "total_time_spent_in_millis",
            uploads == null ? 0L : uploads.attempts().millis(),
            "pressure",
            object("total_rejections", uploads == null ? 0L : uploads.lag().rejections())),
        "download",
        object(
            "total_download_size",
            object(
                "started_bytes", downloads.bytes(),
                "succeeded_bytes", downloads.bytes(),
                "failed_bytes", 0L),
            "total_time_spent_in_millis",
            downloads.millis()));
  }

  /**
   * Returns the section {@code translog}. The shard's log replaces a translog: the section counts
   * the operations to replay from it, and no bytes are stored locally.
   */
  private static Map<String, Object> log(long operations) {
    return object(
        "operations", operations,
        "size_in_bytes", 0L,
        "uncommitted_operations", operations,
        "uncommitted_size_in_bytes", 0L,
        "earliest_last_modified_age", 0L);
  }

  private static Map<String, Object> recovery(CopyStats stats, ShardStatus shardStatus) {
    boolean building = !stats.progress().state().equals("STARTED");
    return object(
        "current_as_source",
        shardStatus.recoveringFrom(),
        "current_as_target",
        building ? 1L : 0L,
        "throttle_time_in_millis",
        0L);
  }
}
