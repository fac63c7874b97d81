package io.varve.coordinator.rest.ccr;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.PullerStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The statistics of {@code _plugins/_replication}: OpenSearch's fields, and a {@code name} under
 * which OpenSearch Benchmark stores them.
 */
final class ReplicationStats {

  private ReplicationStats() {}

  /**
   * The leader's shards read nothing for followers, because followers read the log from the
   * brokers.
   *
   * @param replicated the names of indices on which followers hold leases
   */
  static Map<String, Object> leader(Collection<String> replicated) {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("name", "ccr-leader-stats");
    stats.put("num_replicated_indices", replicated.size());
    stats.putAll(noReads());
    Map<String, Object> indices = new TreeMap<>();
    replicated.forEach(name -> indices.put(name, noReads()));
    stats.put("index_stats", indices);
    return stats;
  }

  private static Map<String, Object> noReads() {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("operations_read", 0);
    stats.put("translog_size_bytes", 0);
    stats.put("operations_read_lucene", 0);
    stats.put("operations_read_translog", 0);
    stats.put("total_read_time_lucene_millis", 0);
    stats.put("total_read_time_translog_millis", 0);
    stats.put("bytes_read", 0);
    return stats;
  }

  static Map<String, Object> follower(ClusterState state, List<PullerStats> reports) {
    List<IndexMetadata> followers =
        state.indices().values().stream().filter(index -> index.follow() != null).toList();
    Map<String, Integer> counts = new TreeMap<>();
    List<PullerStats> known = new ArrayList<>();
    Map<String, Object> indices = new TreeMap<>();
    for (IndexMetadata index : followers) {
      counts.merge(new ReplicationStatus(state, index, reports).status(), 1, Integer::sum);
      List<PullerStats> own =
          reports.stream().filter(p -> p.indexUuid().equals(index.uuid())).toList();
      known.addAll(own);
      if (!Objects.requireNonNull(index.follow()).paused()) {
        indices.put(index.name(), work(own));
      }
    }
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("name", "ccr-follower-stats");
    stats.put("num_syncing_indices", counts.getOrDefault("SYNCING", 0));
    stats.put("num_bootstrapping_indices", counts.getOrDefault("BOOTSTRAPPING", 0));
    stats.put("num_paused_indices", counts.getOrDefault("PAUSED", 0));
    stats.put("num_failed_indices", counts.getOrDefault("FAILED", 0));
    stats.put("num_shard_tasks", known.size());
    stats.put("num_index_tasks", indices.size());
    stats.putAll(work(known));
    stats.put("index_stats", indices);
    return stats;
  }

  /**
   * Throttled requests are always 0, because a puller waits in cases in which OpenSearch rejects
   * requests.
   */
  private static Map<String, Object> work(List<PullerStats> pullers) {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put(
        "operations_written", pullers.stream().mapToLong(PullerStats::operationsWritten).sum());
    stats.put("operations_read", pullers.stream().mapToLong(PullerStats::operationsRead).sum());
    stats.put(
        "failed_read_requests",
        pullers.stream().mapToLong(p -> FollowStats.activity(p).failedReads()).sum());
    stats.put("throttled_read_requests", 0);
    stats.put(
        "failed_write_requests",
        pullers.stream().mapToLong(PullerStats::failedWriteRequests).sum());
    stats.put("throttled_write_requests", 0);
    stats.put(
        "follower_checkpoint",
        pullers.stream().mapToLong(PullerStats::followerGlobalCheckpoint).sum());
    stats.put(
        "leader_checkpoint", pullers.stream().mapToLong(PullerStats::leaderGlobalCheckpoint).sum());
    stats.put(
        "total_write_time_millis",
        pullers.stream().mapToLong(p -> FollowStats.activity(p).writeMillis()).sum());
    return stats;
  }

  /**
   * @param done in the form of {@code auto_follow_stats} of {@code _ccr/stats}
   */
  static Map<String, Object> autoFollow(Map<String, AutoFollowPattern> patterns, Map<?, ?> done) {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("name", "ccr-autofollow-stats");
    stats.put("num_success_start_replication", done.get("number_of_successful_follow_indices"));
    stats.put("num_failed_start_replication", done.get("number_of_failed_follow_indices"));
    stats.put(
        "num_failed_leader_calls", done.get("number_of_failed_remote_cluster_state_requests"));
    List<String> failed = new ArrayList<>();
    if (done.get("recent_auto_follow_errors") instanceof List<?> errors) {
      for (Object error : errors) {
        if (error instanceof Map<?, ?> fields
            && fields.get("leader_index") instanceof String place) {
          failed.add(place.substring(place.lastIndexOf(':') + 1));
        }
      }
    }
    stats.put("failed_indices", failed.stream().distinct().toList());
    Map<Object, Number> checks = lastChecks(done);
    List<Map<String, Object>> rows = new ArrayList<>();
    new TreeMap<>(patterns)
        .forEach((name, pattern) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("name", name);
          row.put("pattern", String.join(",", pattern.leaderPatterns()));
          row.put("leader_alias", pattern.remoteCluster());
          row.put("active", pattern.active());
          row.put("last_execution_time", checks.getOrDefault(pattern.remoteCluster(), 0));
          rows.add(row);
        });
    stats.put("autofollow_stats", rows);
    return stats;
  }

  /** The last comparison of each remote cluster's indices with the patterns, in epoch millis. */
  private static Map<Object, Number> lastChecks(Map<?, ?> done) {
    Map<Object, Number> checks = new HashMap<>();
    if (done.get("auto_followed_clusters") instanceof List<?> clusters) {
      for (Object cluster : clusters) {
        if (cluster instanceof Map<?, ?> fields
            && fields.get("last_check_timestamp") instanceof Number timestampMillis) {
          checks.put(fields.get("cluster_name"), timestampMillis);
        }
      }
    }
    return checks;
  }
}
