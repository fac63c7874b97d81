package io.varve.coordinator.rest.cat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A column of a table of indices, shards or nodes that shows one of their figures.
 *
 * @param path where the figure stands in the sections
 */
record StatColumn(String name, String aliases, String says, String path, Kind kind) {

  /** What a figure is. */
  enum Kind {
    COUNT,
    FRACTION,
    BYTES,
    MILLIS
  }

  /** As the tables of indices have them; those of shards and nodes leave some out. */
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
          count("get.current", "gc,getCurrent", "gets under way"),
          millis("get.time", "gti,getTime", "time spent in gets"),
          count("get.total", "gto,getTotal", "gets"),
          millis("get.exists_time", "geti,getExistsTime", "time spent in gets that found"),
          count("get.exists_total", "geto,getExistsTotal", "gets that found"),
          millis("get.missing_time", "gmti,getMissingTime", "time spent in gets in vain"),
          count("get.missing_total", "gmto,getMissingTotal", "gets in vain"),
          count("indexing.delete_current", "idc,indexingDeleteCurrent", "deletes under way"),
          millis("indexing.delete_time", "idti,indexingDeleteTime", "time spent in deletes"),
          count("indexing.delete_total", "idto,indexingDeleteTotal", "deletes"),
          count("indexing.index_current", "iic,indexingIndexCurrent", "index operations under way"),
          millis("indexing.index_time", "iiti,indexingIndexTime", "time spent in indexing"),
          count("indexing.index_total", "iito,indexingIndexTotal", "index operations"),
          count("indexing.index_failed", "iif,indexingIndexFailed", "index operations refused"),
          count("merges.current", "mc,mergesCurrent", "merges under way"),
          count("merges.current_docs", "mcd,mergesCurrentDocs", "documents being merged"),
          bytes("merges.current_size", "mcs,mergesCurrentSize", "size of merges under way"),
          count("merges.total", "mt,mergesTotal", "merges done"),
          count("merges.total_docs", "mtd,mergesTotalDocs", "documents merged"),
          bytes("merges.total_size", "mts,mergesTotalSize", "size merged"),
          millis("merges.total_time", "mtt,mergesTotalTime", "time spent in merges"),
          count("refresh.total", "rto,refreshTotal", "refreshes"),
          of("refresh.time", "rti,refreshTime", "time spent in refreshes", "total_time"),
          count("refresh.external_total", "rto,refreshTotal", "refreshes that searches saw"),
          of(
              "refresh.external_time",
              "rti,refreshTime",
              "time spent in refreshes that searches saw",
              "external_total_time"),
          count("refresh.listeners", "rli,refreshListeners", "waits for a refresh"),
          count("search.fetch_current", "sfc,searchFetchCurrent", "fetches under way"),
          millis("search.fetch_time", "sfti,searchFetchTime", "time spent in fetches"),
          count("search.fetch_total", "sfto,searchFetchTotal", "fetches"),
          count("search.open_contexts", "so,searchOpenContexts", "search contexts that are open"),
          count("search.query_current", "sqc,searchQueryCurrent", "queries under way"),
          millis("search.query_time", "sqti,searchQueryTime", "time spent in queries"),
          count("search.query_total", "sqto,searchQueryTotal", "queries"),
          count(
              "search.concurrent_query_current",
              "scqc,searchConcurrentQueryCurrent",
              "queries over segments side by side under way"),
          millis(
              "search.concurrent_query_time",
              "scqti,searchConcurrentQueryTime",
              "time spent in queries over segments side by side"),
          count(
              "search.concurrent_query_total",
              "scqto,searchConcurrentQueryTotal",
              "queries over segments side by side"),
          new StatColumn(
              "search.concurrent_avg_slice_count",
              "casc,searchConcurrentAvgSliceCount",
              "groups of segments searched side by side, on average",
              "search.concurrent_avg_slice_count",
              Kind.FRACTION),
          count("search.scroll_current", "scc,searchScrollCurrent", "scrolls that are open"),
          millis("search.scroll_time", "scti,searchScrollTime", "time that scrolls were open"),
          count("search.scroll_total", "scto,searchScrollTotal", "scrolls ended"),
          count(
              "search.point_in_time_current",
              "scc,searchPointInTimeCurrent",
              "points in time that are open"),
          millis(
              "search.point_in_time_time",
              "scti,searchPointInTimeTime",
              "time that points in time were open"),
          count(
              "search.point_in_time_total", "scto,searchPointInTimeTotal", "points in time ended"),
          count(
              "search.search_idle_reactivate_count_total",
              "ssirct,searchSearchIdleReactivateCountTotal",
              "times that a search ended an idle time"),
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
              "memory used by sets of nested documents",
              "fixed_bit_set_memory"),
          count("warmer.current", "wc,warmerCurrent", "warmers under way"),
          count("warmer.total", "wto,warmerTotal", "warmers run"),
          millis("warmer.total_time", "wtt,warmerTotalTime", "time spent in warmers"),
          suggest(count("suggest.current", "suc,suggestCurrent", "suggestions under way")),
          suggest(millis("suggest.time", "suti,suggestTime", "time spent in suggestions")),
          suggest(count("suggest.total", "suto,suggestTotal", "suggestions")));

  private static StatColumn count(String name, String aliases, String says) {
    return new StatColumn(name, aliases, says, name, Kind.COUNT);
  }

  private static StatColumn bytes(String name, String aliases, String says) {
    return new StatColumn(name, aliases, says, name + "_in_bytes", Kind.BYTES);
  }

  private static StatColumn millis(String name, String aliases, String says) {
    return new StatColumn(name, aliases, says, name + "_in_millis", Kind.MILLIS);
  }

  /** One whose field has another name than its column: a time, or else a size. */
  private static StatColumn of(String name, String aliases, String says, String field) {
    String path = name.substring(0, name.indexOf('.') + 1) + field;
    return field.endsWith("time")
        ? new StatColumn(name, aliases, says, path + "_in_millis", Kind.MILLIS)
        : new StatColumn(name, aliases, says, path + "_in_bytes", Kind.BYTES);
  }

  /** The figures of suggestions stand among those of searches. */
  private static StatColumn suggest(StatColumn column) {
    return new StatColumn(
        column.name,
        column.aliases,
        column.says,
        column.path.replace("suggest.", "search.suggest_"),
        column.kind);
  }

  /** Those whose names begin so, in that order. */
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

  /** The same of primaries alone. */
  StatColumn ofPrimaries() {
    return new StatColumn("pri." + name, "", says + " of primaries", path, kind);
  }
}
