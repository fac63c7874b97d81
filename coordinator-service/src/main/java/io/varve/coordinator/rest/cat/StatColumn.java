package io.varve.coordinator.rest.cat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A column of statistics in a table of indices, shards or nodes.
 *
 * @param path the path of the value in the sections
 */
record StatColumn(String name, String aliases, String description, String path, Kind kind) {

  /** The type of a statistic. */
  enum Kind {
    COUNT,
    FRACTION,
    BYTES,
    MILLIS
  }

  /** All columns, in the order of {@code _cat/indices}; tables of shards and nodes omit some. */
  private static final List<StatColumn> ALL =
      List.of(
          bytes("completion.size", "cs,completionSize", "size of completion"),
          bytes("fielddata.memory_size", "fm,fielddataMemory", "used fielddata cache"),
          count("fielddata.evictions", "fe,fielddataEvictions", "fielddata evictions"),
          bytes("query_cache.memory_size", "qcm,queryCacheMemory", "used query cache"),
          count("query_cache.evictions", "qce,queryCacheEvictions", "query cache evictions"),
          count("query_cache.hit_count", "qchc,queryCacheHitCount", "query cache hits"),
          count("query_cache.miss_count", "qcmc,queryCacheMissCount", "query cache misses"),
          bytes("request_cache.memory_size", "rcm,requestCacheMemory", "used request cache"),
          count("request_cache.evictions", "rce,requestCacheEvictions", "request cache evictions"),
          count("request_cache.hit_count", "rchc,requestCacheHitCount", "request cache hits"),
          count("request_cache.miss_count", "rcmc,requestCacheMissCount", "request cache misses"),
          count("flush.total", "ft,flushTotal", "commits"),
          millis("flush.total_time", "ftt,flushTotalTime", "time spent in commits"),
          count("get.current", "gc,getCurrent", "gets in progress"),
          millis("get.time", "gti,getTime", "time spent in gets"),
          count("get.total", "gto,getTotal", "gets"),
          millis("get.exists_time", "geti,getExistsTime", "time spent in successful gets"),
          count("get.exists_total", "geto,getExistsTotal", "successful gets"),
          millis("get.missing_time", "gmti,getMissingTime", "time spent in failed gets"),
          count("get.missing_total", "gmto,getMissingTotal", "failed gets"),
          count("indexing.delete_current", "idc,indexingDeleteCurrent", "deletes in progress"),
          millis("indexing.delete_time", "idti,indexingDeleteTime", "time spent in deletes"),
          count("indexing.delete_total", "idto,indexingDeleteTotal", "deletes"),
          count(
              "indexing.index_current", "iic,indexingIndexCurrent", "index operations in progress"),
          millis("indexing.index_time", "iiti,indexingIndexTime", "time spent in indexing"),
          count("indexing.index_total", "iito,indexingIndexTotal", "index operations"),
          count("indexing.index_failed", "iif,indexingIndexFailed", "failed index operations"),
          count("merges.current", "mc,mergesCurrent", "merges in progress"),
          count("merges.current_docs", "mcd,mergesCurrentDocs", "documents being merged"),
          bytes("merges.current_size", "mcs,mergesCurrentSize", "size of merges in progress"),
          count("merges.total", "mt,mergesTotal", "merges done"),
          count("merges.total_docs", "mtd,mergesTotalDocs", "documents merged"),
          bytes("merges.total_size", "mts,mergesTotalSize", "size merged"),
          millis("merges.total_time", "mtt,mergesTotalTime", "time spent in merges"),
          count("refresh.total", "rto,refreshTotal", "refreshes"),
          of("refresh.time", "rti,refreshTime", "time spent in refreshes", "total_time"),
          count("refresh.external_total", "rto,refreshTotal", "external refreshes"),
          of(
              "refresh.external_time",
              "rti,refreshTime",
              "time spent in external refreshes",
              "external_total_time"),
          count("refresh.listeners", "rli,refreshListeners", "waits for a refresh"),
          count("search.fetch_current", "sfc,searchFetchCurrent", "fetches in progress"),
          millis("search.fetch_time", "sfti,searchFetchTime", "time spent in fetches"),
          count("search.fetch_total", "sfto,searchFetchTotal", "fetches"),
          count("search.open_contexts", "so,searchOpenContexts", "open search contexts"),
          count("search.query_current", "sqc,searchQueryCurrent", "queries in progress"),
          millis("search.query_time", "sqti,searchQueryTime", "time spent in queries"),
          count("search.query_total", "sqto,searchQueryTotal", "queries"),
          count(
              "search.concurrent_query_current",
              "scqc,searchConcurrentQueryCurrent",
              "concurrent segment searches in progress"),
          millis(
              "search.concurrent_query_time",
              "scqti,searchConcurrentQueryTime",
              "time spent in concurrent segment searches"),
          count(
              "search.concurrent_query_total",
              "scqto,searchConcurrentQueryTotal",
              "concurrent segment searches"),
          new StatColumn(
              "search.concurrent_avg_slice_count",
              "casc,searchConcurrentAvgSliceCount",
              "average number of slices of a concurrent segment search",
              "search.concurrent_avg_slice_count",
              Kind.FRACTION),
          count("search.scroll_current", "scc,searchScrollCurrent", "open scrolls"),
          millis("search.scroll_time", "scti,searchScrollTime", "time that scrolls were open"),
          count("search.scroll_total", "scto,searchScrollTotal", "scrolls ended"),
          count(
              "search.point_in_time_current",
              "scc,searchPointInTimeCurrent",
              "open points in time"),
          millis(
              "search.point_in_time_time",
              "scti,searchPointInTimeTime",
              "time that points in time were open"),
          count(
              "search.point_in_time_total", "scto,searchPointInTimeTotal", "points in time ended"),
          count(
              "search.search_idle_reactivate_count_total",
              "ssirct,searchSearchIdleReactivateCountTotal",
              "searches that made an idle shard refresh"),
          count("segments.count", "sc,segmentsCount", "segments"),
          bytes("segments.memory", "sm,segmentsMemory", "memory used by segments"),
          bytes(
              "segments.index_writer_memory",
              "siwm,segmentsIndexWriterMemory",
              "memory used by the index writer"),
          bytes(
              "segments.version_map_memory",
              "svmm,segmentsVersionMapMemory",
              "memory used by the version map"),
          of(
              "segments.fixed_bitset_memory",
              "sfbm,fixedBitsetMemory",
              "memory used by bit sets of nested documents",
              "fixed_bit_set_memory"),
          count("warmer.current", "wc,warmerCurrent", "warmers in progress"),
          count("warmer.total", "wto,warmerTotal", "warmers run"),
          millis("warmer.total_time", "wtt,warmerTotalTime", "time spent in warmers"),
          suggest(count("suggest.current", "suc,suggestCurrent", "suggestions in progress")),
          suggest(millis("suggest.time", "suti,suggestTime", "time spent in suggestions")),
          suggest(count("suggest.total", "suto,suggestTotal", "suggestions")));

  private static StatColumn count(String name, String aliases, String description) {
    return new StatColumn(name, aliases, description, name, Kind.COUNT);
  }

  private static StatColumn bytes(String name, String aliases, String description) {
    return new StatColumn(name, aliases, description, name + "_in_bytes", Kind.BYTES);
  }

  private static StatColumn millis(String name, String aliases, String description) {
    return new StatColumn(name, aliases, description, name + "_in_millis", Kind.MILLIS);
  }

  /** Creates a column for a field whose name differs from the column's: a duration or a size. */
  private static StatColumn of(String name, String aliases, String description, String field) {
    String path = name.substring(0, name.indexOf('.') + 1) + field;
    return field.endsWith("time")
        ? new StatColumn(name, aliases, description, path + "_in_millis", Kind.MILLIS)
        : new StatColumn(name, aliases, description, path + "_in_bytes", Kind.BYTES);
  }

  /**
   * Adapts the path of a suggester column, because statistics of suggesters are part of the search
   * section.
   */
  private static StatColumn suggest(StatColumn column) {
    return new StatColumn(
        column.name,
        column.aliases,
        column.description,
        column.path.replace("suggest.", "search.suggest_"),
        column.kind);
  }

  /**
   * Returns the columns whose names begin with one of the prefixes, in the order of the prefixes.
   */
  static List<StatColumn> starting(String... prefixes) {
    List<StatColumn> found = new ArrayList<>();
    for (String prefix : prefixes) {
      ALL.stream().filter(column -> column.name.startsWith(prefix)).forEach(found::add);
    }
    return found;
  }

  static List<StatColumn> without(List<StatColumn> columns, String... names) {
    return columns.stream().filter(c -> !Arrays.asList(names).contains(c.name)).toList();
  }

  /** Returns the column with the same statistic for primaries only. */
  StatColumn ofPrimaries() {
    return new StatColumn("pri." + name, "", description + " of primaries", path, kind);
  }
}
