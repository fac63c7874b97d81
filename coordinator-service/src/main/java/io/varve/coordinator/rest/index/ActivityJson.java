package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.rpc.CopyStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the sections of {@link StatsJson} that report numbers and durations of operations. */
final class ActivityJson {

  private static final String IDLE_REACTIVATIONS = "search_idle_reactivate_count_total";

  private ActivityJson() {}

  static Map<String, Object> indexing(CopyStats.Indexing indexing) {
    Map<String, Object> byStatus = new LinkedHashMap<>();
    List<Long> classes = indexing.byStatusClass();
    for (int i = 0; i < classes.size(); i++) {
      if (classes.get(i) > 0) {
        byStatus.put((i + 1) + "xx", classes.get(i));
      }
    }
    return object(
        "index_total", indexing.index().total(),
        "index_time_in_millis", indexing.index().millis(),
        "index_current", indexing.index().current(),
        "index_failed", indexing.failed(),
        "delete_total", indexing.delete().total(),
        "delete_time_in_millis", indexing.delete().millis(),
        "delete_current", indexing.delete().current(),
        "noop_update_total", indexing.noops(),
        "is_throttled", false,
        "throttle_time_in_millis", indexing.throttleMillis(),
        "doc_status", byStatus);
  }

  static Map<String, Object> gets(CopyStats.Gets gets) {
    return object(
        "total", gets.exists().total() + gets.missing().total(),
        "time_in_millis", gets.exists().millis() + gets.missing().millis(),
        "exists_total", gets.exists().total(),
        "exists_time_in_millis", gets.exists().millis(),
        "missing_total", gets.missing().total(),
        "missing_time_in_millis", gets.missing().millis(),
        "current", gets.current());
  }

  static Map<String, Object> search(CopyStats.Search search, StatsRequest wanted) {
    Map<String, Object> shown = object("open_contexts", search.openContexts());
    shown.putAll(phases(search.phases()));
    shown.put(IDLE_REACTIVATIONS, search.idleReactivations());
    if (!wanted.groups().isEmpty()) {
      Map<String, Object> groups = new TreeMap<>();
      search
          .groups()
          .forEach((name, phases) -> {
            if (StatsRequest.matches(wanted.groups(), name)) {
              groups.put(name, phases(phases));
            }
          });
      if (!groups.isEmpty()) {
        shown.put("groups", groups);
      }
    }
    return shown;
  }

  private static Map<String, Object> phases(CopyStats.SearchPhases phases) {
    Map<String, Object> shown = new LinkedHashMap<>();
    put(shown, "query", phases.query());
    put(shown, "concurrent_query", phases.concurrentQuery());
    shown.put(SliceShare.SLICES, phases.slices());
    SliceShare.average(shown);
    put(shown, "fetch", phases.fetch());
    put(shown, "scroll", phases.scroll());
    put(shown, "point_in_time", phases.pointInTime());
    put(shown, "suggest", CopyStats.Phase.NONE);
    // A search ends the idleness of a copy before its groups are known.
    shown.put(IDLE_REACTIVATIONS, 0L);
    return shown;
  }

  private static void put(Map<String, Object> shown, String name, CopyStats.Phase phase) {
    shown.put(name + "_total", phase.total());
    shown.put(name + "_time_in_millis", phase.millis());
    shown.put(name + "_current", phase.current());
  }

  static Map<String, Object> merges(CopyStats.Merges merges) {
    return object(
        "current", merges.merges().current(),
        "current_docs", merges.current().docs(),
        "current_size_in_bytes", merges.current().bytes(),
        "total", merges.merges().total(),
        "total_time_in_millis", merges.merges().millis(),
        "total_docs", merges.total().docs(),
        "total_size_in_bytes", merges.total().bytes(),
        "total_stopped_time_in_millis", merges.stoppedMillis(),
        "total_throttled_time_in_millis", merges.throttledMillis(),
        "total_auto_throttle_in_bytes", 0L,
        "unreferenced_file_cleanups_performed", 0L,
        "warmer", ahead(merges.ahead()));
  }

  private static Map<String, Object> ahead(CopyStats.Ahead ahead) {
    return object(
        "total_invocations_count", ahead.sends().total(),
        "total_time_millis", ahead.sends().millis(),
        "total_failure_count", ahead.failed(),
        "total_bytes_sent", ahead.sent().bytes(),
        "total_bytes_received", ahead.received().bytes(),
        "total_send_time_millis", ahead.sent().millis(),
        "total_receive_time_millis", ahead.received().millis(),
        "ongoing_count", ahead.sends().current());
  }

  static Map<String, Object> warmer(CopyStats.Phase warmers) {
    return object(
        "current", warmers.current(),
        "total", warmers.total(),
        "total_time_in_millis", warmers.millis());
  }

  static Map<String, Object> refresh(CopyStats.Refreshes refresh) {
    CopyStats.Phase external = refresh.external();
    CopyStats.Phase internal = refresh.internal();
    return object(
        "total", external.total() + internal.total(),
        "total_time_in_millis", external.millis() + internal.millis(),
        "external_total", external.total(),
        "external_total_time_in_millis", external.millis(),
        "listeners", refresh.listeners());
  }

  static Map<String, Object> flush(CopyStats.Flushes flush) {
    return object(
        "total", flush.flushes().total(),
        "periodic", flush.periodic(),
        "total_time_in_millis", flush.flushes().millis());
  }
}
