package io.varve.coordinator.rest.index;

import io.varve.rpc.CopyStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The figures of copies as sections of the dialect, and their sums. What Varve doesn't have
 * (caches, suggesters) is shown with the zeros that it has of it.
 */
public final class StatsJson {

  /** The sections by the names under which they are asked for, and under which they are shown. */
  private static final Map<String, String> SECTIONS = sections();

  private StatsJson() {}

  private static Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String name : List.of("docs", "store", "indexing", "get", "search")) {
      sections.put(name, name);
    }
    sections.put("merge", "merges");
    for (String name : List.of("refresh", "flush", "segments", "translog")) {
      sections.put(name, name);
    }
    return sections;
  }

  /** The names of sections that can be asked for. */
  public static Set<String> names() {
    return SECTIONS.keySet();
  }

  /** {@code names} are those of the sections; null for all. */
  public static Map<String, Object> of(CopyStats stats, @Nullable Set<String> names) {
    Map<String, Object> all = all(stats);
    Map<String, Object> wanted = new LinkedHashMap<>();
    SECTIONS.forEach((name, section) -> {
      if (names == null || names.contains(name)) {
        wanted.put(section, all.get(section));
      }
    });
    return wanted;
  }

  private static Map<String, Object> all(CopyStats stats) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("docs", object("count", stats.docs(), "deleted", stats.deletedDocs()));
    all.put("store", object("size_in_bytes", stats.storeBytes(), "reserved_in_bytes", 0L));
    all.put("indexing", indexing(stats.indexing()));
    all.put("get", gets(stats.gets()));
    all.put("search", search(stats.search()));
    all.put("merges", merges(stats.merges()));
    all.put("refresh", refresh(stats.refresh()));
    all.put(
        "flush",
        object(
            "total",
            stats.flush().total(),
            "periodic",
            0L,
            "total_time_in_millis",
            stats.flush().millis()));
    all.put("segments", segments(stats));
    // The log takes the place of a log beside each copy; these are operations to replay from it.
    all.put(
        "translog",
        object(
            "operations",
            stats.uncommittedOperations(),
            "size_in_bytes",
            0L,
            "uncommitted_operations",
            stats.uncommittedOperations(),
            "uncommitted_size_in_bytes",
            0L,
            "earliest_last_modified_age",
            0L));
    return all;
  }

  private static Map<String, Object> indexing(CopyStats.Indexing indexing) {
    Map<String, Object> map =
        object(
            "index_total", indexing.indexTotal(),
            "index_time_in_millis", indexing.indexMillis(),
            "index_current", indexing.current(),
            "index_failed", indexing.indexFailed(),
            "delete_total", indexing.deleteTotal(),
            "delete_time_in_millis", indexing.deleteMillis(),
            "delete_current", 0L,
            "noop_update_total", indexing.noopTotal());
    map.put("is_throttled", false);
    map.put("throttle_time_in_millis", 0L);
    return map;
  }

  private static Map<String, Object> gets(CopyStats.Gets gets) {
    return object(
        "total", gets.total(),
        "time_in_millis", gets.millis(),
        "exists_total", gets.exists(),
        "exists_time_in_millis", 0L,
        "missing_total", gets.missing(),
        "missing_time_in_millis", 0L,
        "current", 0L);
  }

  private static Map<String, Object> search(CopyStats.Search search) {
    return object(
        "open_contexts", 0L,
        "query_total", search.queryTotal(),
        "query_time_in_millis", search.queryMillis(),
        "query_current", search.queryCurrent(),
        "fetch_total", search.fetchTotal(),
        "fetch_time_in_millis", search.fetchMillis(),
        "fetch_current", 0L,
        "scroll_total", 0L,
        "scroll_time_in_millis", 0L,
        "scroll_current", 0L,
        "suggest_total", 0L,
        "suggest_time_in_millis", 0L,
        "suggest_current", 0L);
  }

  private static Map<String, Object> merges(CopyStats.Merges merges) {
    return object(
        "current", merges.current(),
        "current_docs", merges.currentDocs(),
        "current_size_in_bytes", merges.currentBytes(),
        "total", merges.total(),
        "total_time_in_millis", merges.millis(),
        "total_docs", merges.docs(),
        "total_size_in_bytes", merges.bytes(),
        "total_stopped_time_in_millis", 0L,
        "total_throttled_time_in_millis", 0L,
        "total_auto_throttle_in_bytes", 0L);
  }

  private static Map<String, Object> refresh(CopyStats.Refreshes refresh) {
    return object(
        "total", refresh.total(),
        "total_time_in_millis", refresh.millis(),
        "external_total", refresh.total(),
        "external_total_time_in_millis", refresh.millis(),
        "listeners", 0L);
  }

  private static Map<String, Object> segments(CopyStats stats) {
    Map<String, Object> map =
        object(
            "count", stats.segments(),
            "memory_in_bytes", stats.segmentMemoryBytes(),
            "terms_memory_in_bytes", 0L,
            "stored_fields_memory_in_bytes", 0L,
            "term_vectors_memory_in_bytes", 0L,
            "norms_memory_in_bytes", 0L,
            "points_memory_in_bytes", 0L,
            "doc_values_memory_in_bytes", 0L,
            "index_writer_memory_in_bytes", 0L,
            "version_map_memory_in_bytes", 0L,
            "fixed_bit_set_memory_in_bytes", 0L);
    map.put("file_sizes", Map.of());
    return map;
  }

  /** Names and numbers in turn. */
  private static Map<String, Object> object(Object... namesAndNumbers) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndNumbers.length; i += 2) {
      map.put((String) namesAndNumbers[i], ((Number) namesAndNumbers[i + 1]).longValue());
    }
    return map;
  }

  /** Adds the numbers of {@code other} to those of {@code sum}, object by object. */
  public static void add(Map<String, Object> sum, Map<String, Object> other) {
    other.forEach((name, value) -> {
      Object former = sum.get(name);
      switch (value) {
        case Long number -> sum.put(name, former instanceof Long f ? f + number : number);
        case Map<?, ?> map -> {
          Map<String, Object> below = former == null ? new LinkedHashMap<>() : cast(former);
          sum.put(name, below);
          add(below, cast(map));
        }
        default -> sum.putIfAbsent(name, value);
      }
    });
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }
}
