package io.varve.coordinator.rest.byquery;

import java.util.LinkedHashMap;
import java.util.Map;

/** The progress of one worker, or the sum over several workers. */
record ByQueryStatus(
    long total, Done done, long batches, long versionConflicts, Retries retries, Held held) {

  /** Documents by result. */
  record Done(long created, long updated, long deleted, long noops) {}

  /** Retries because a node was busy. */
  record Retries(long bulk, long search) {}

  /** The throttling so far, and the current wait. */
  record Held(long throttledMillis, float perSecond, long untilMillis) {}

  static final ByQueryStatus NOTHING =
      new ByQueryStatus(0, new Done(0, 0, 0, 0), 0, 0, new Retries(0, 0), new Held(0, 0, 0));

  ByQueryStatus plus(ByQueryStatus other) {
    return new ByQueryStatus(
        total + other.total,
        new Done(
            done.created + other.done.created,
            done.updated + other.done.updated,
            done.deleted + other.done.deleted,
            done.noops + other.done.noops),
        batches + other.batches,
        versionConflicts + other.versionConflicts,
        new Retries(retries.bulk + other.retries.bulk, retries.search + other.retries.search),
        new Held(
            held.throttledMillis + other.held.throttledMillis,
            held.perSecond + other.held.perSecond,
            Math.min(held.untilMillis, other.held.untilMillis)));
  }

  /** Returns the progress as JSON, without the fields that do not apply to the operation. */
  Map<String, Object> json(ByQueryKind operation) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("total", total);
    if (operation != ByQueryKind.DELETE) {
      json.put("updated", done.updated);
    }
    if (operation == ByQueryKind.REINDEX) {
      json.put("created", done.created);
    }
    json.put("deleted", done.deleted);
    json.put("batches", batches);
    json.put("version_conflicts", versionConflicts);
    json.put("noops", done.noops);
    Map<String, Object> tried = new LinkedHashMap<>();
    tried.put("bulk", retries.bulk);
    tried.put("search", retries.search);
    json.put("retries", tried);
    json.put("throttled_millis", held.throttledMillis);
    json.put("requests_per_second", Float.isInfinite(held.perSecond) ? -1.0f : held.perSecond);
    json.put("throttled_until_millis", held.untilMillis);
    return json;
  }
}
