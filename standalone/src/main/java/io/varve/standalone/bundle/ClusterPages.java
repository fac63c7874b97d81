package io.varve.standalone.bundle;

import io.varve.standalone.NodeMetricsPath;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The pages of a running cluster that describe its state. None contains documents, mappings or
 * searches. If a page can't be read, its file contains the reason instead.
 */
final class ClusterPages {

  /**
   * A page of a coordinator.
   *
   * @param file its name in the bundle
   */
  private record Page(String file, String path) {}

  private static final List<Page> PAGES =
      List.of(
          new Page("version.json", "/?pretty"),
          new Page("feature-level.json", "/_cluster/feature_level?pretty"),
          new Page("health.json", "/_cluster/health?level=shards&pretty"),
          new Page("nodes.json", "/_nodes?pretty"),
          new Page("nodes-stats.json", "/_nodes/stats?pretty"),
          new Page("nodes.txt", "/_cat/nodes?v"),
          new Page(
              "cluster-settings.json",
              "/_cluster/settings?include_defaults=true&flat_settings=true&pretty"),
          new Page("index-settings.json", "/_settings?flat_settings=true&pretty"),
          new Page("indices.txt", "/_cat/indices?v&expand_wildcards=all"),
          new Page("shards.txt", "/_cat/shards?v"),
          new Page("allocation.txt", "/_cat/allocation?v"),
          new Page("allocation-explain.json", "/_cluster/allocation/explain?pretty"),
          new Page("recovery.txt", "/_cat/recovery?v"),
          new Page("segment-replication.txt", "/_cat/segment_replication?v&detailed=true"),
          new Page("followers.txt", "/_cat/followers?v"),
          new Page("tasks.json", "/_tasks?pretty"),
          new Page("hot-threads.txt", "/_nodes/hot_threads"),
          new Page("processes.json", "/_prometheus/targets?pretty"));

  private final RestCalls rest;

  ClusterPages(RestCalls rest) {
    this.rest = rest;
  }

  /** The content of each page, by its name in the bundle. */
  Map<String, String> read() {
    Map<String, String> pages = new TreeMap<>();
    for (Page page : PAGES) {
      pages.put(page.file(), text(rest, page.path()));
    }
    addMetrics(pages);
    return pages;
  }

  /** Called through the coordinator, because with security only it may call the other processes. */
  private void addMetrics(Map<String, String> pages) {
    try {
      for (JsonNode group : rest.get("/_prometheus/targets").orThrow().json()) {
        String node = group.path("labels").path("node").asString("unknown");
        pages.put(
            "metrics/" + node.replaceAll("[^A-Za-z0-9._-]", "_") + ".txt",
            text(rest, NodeMetricsPath.of(node)));
      }
    } catch (IOException | IllegalStateException e) {
      pages.put("metrics/none.txt", "the processes are unknown: " + e);
    }
  }

  private static String text(RestCalls from, String path) {
    try {
      RestCalls.Answer answer = from.get(path);
      return answer.status() == 200
          ? answer.text()
          : "GET " + path + ": status " + answer.status() + "\n" + answer.text();
    } catch (IOException e) {
      return "GET " + path + ": " + e;
    }
  }
}
