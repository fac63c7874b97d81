package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.PullerStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The state of an index as {@code _plugins/_replication/{index}/_status} shows it.
 *
 * <pre>
 *   REPLICATION NOT IN PROGRESS  the index is not a follower
 *   PAUSED                       by a user, or by this cluster, which can't continue
 *   FAILED                       a puller cannot continue without help
 *   BOOTSTRAPPING                a shard is copied from its leader, also by a successor of the
 *                                index, or has no puller yet
 *   SYNCING                      otherwise
 * </pre>
 *
 * Checkpoints are sums over the shards, so those of an empty index are below zero, as in
 * OpenSearch.
 */
final class ReplicationStatus {

  private static final String BOOTSTRAPPING = "BOOTSTRAPPING";

  private final ClusterState state;
  private final IndexMetadata index;
  private final List<PullerStats> pullers;

  /**
   * @param reports of any indices
   */
  ReplicationStatus(ClusterState state, IndexMetadata index, List<PullerStats> reports) {
    this.state = state;
    this.index = index;
    this.pullers = reports.stream().filter(p -> p.indexUuid().equals(index.uuid())).toList();
  }

  /** The index that is copied from the leader while the status is BOOTSTRAPPING. */
  IndexMetadata copied() {
    return FollowStats.successor(state, index).orElse(index);
  }

  /** By the names of OpenSearch. */
  String status() {
    FollowRelation follow = index.follow();
    if (follow == null) {
      return "REPLICATION NOT IN PROGRESS";
    }
    if (follow.paused()) {
      return "PAUSED";
    }
    if (failed().isPresent()) {
      return "FAILED";
    }
    return bootstraps() ? BOOTSTRAPPING : "SYNCING";
  }

  private boolean bootstraps() {
    return pullers.size() < index.numberOfShards()
        || !copied().equals(index)
        || pullers.stream().anyMatch(p -> p.state().equals(BOOTSTRAPPING));
  }

  /** Whether {@link #shown} needs the recoveries of the copies of {@link #copied()}. */
  boolean needsRecoveries() {
    FollowRelation follow = index.follow();
    return follow != null && !follow.paused() && bootstraps();
  }

  private Optional<PullerStats> failed() {
    return pullers.stream()
        .filter(p -> p.state().equals("LOST") || p.state().equals("REFUSED"))
        .findFirst();
  }

  /**
   * @param recoveries of the copies of {@link #copied()}, if {@link #needsRecoveries()}
   */
  Map<String, Object> shown(boolean verbose, List<CopyRecovery> recoveries) {
    Map<String, Object> shown = new LinkedHashMap<>();
    FollowRelation follow = index.follow();
    String status = status();
    shown.put("status", status);
    if (follow == null) {
      return shown;
    }
    shown.put("reason", reason(follow));
    shown.put("leader_alias", follow.remoteCluster());
    shown.put("leader_index", follow.leaderIndex());
    shown.put("follower_index", index.name());
    if (!follow.paused()) {
      shown.put("syncing_details", details(pullers));
      if (status.equals(BOOTSTRAPPING)) {
        shown.put("bootstrap_details", BootstrapDetails.of(recoveries));
      }
      if (verbose) {
        shown.put("shard_replication_details", shards(recoveries));
      }
    }
    return shown;
  }

  private String reason(FollowRelation follow) {
    if (follow.paused()) {
      return follow.stopped().map(reason -> "AutoPaused: " + reason).orElse("User initiated");
    }
    return failed().map(PullerStats::lastError).or(this::primaryFailure).orElse("");
  }

  /** Of the first shard whose puller waits for its primary. */
  private Optional<String> primaryFailure() {
    return IntStream.range(0, index.numberOfShards())
        .mapToObj(shard -> FollowStats.pullerOf(index, shard, pullers))
        .map(puller -> PrimaryFailure.of(state, index, puller))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private List<Map<String, Object>> shards(List<CopyRecovery> recoveries) {
    List<Map<String, Object>> shards = new ArrayList<>();
    for (PullerStats puller : pullers) {
      Map<String, Object> shard = new LinkedHashMap<>();
      shard.put("shard_id", puller.shardId());
      shard.put("syncing_task_details", details(List.of(puller)));
      if (puller.state().equals(BOOTSTRAPPING)) {
        List<CopyRecovery> own =
            recoveries.stream().filter(r -> r.shard().number() == puller.shardId()).toList();
        shard.put("bootstrap_task_details", BootstrapDetails.of(own));
      }
      shards.add(shard);
    }
    return shards;
  }

  private static Map<String, Object> details(List<PullerStats> pullers) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put(
        "leader_checkpoint", pullers.stream().mapToLong(PullerStats::leaderGlobalCheckpoint).sum());
    details.put(
        "follower_checkpoint",
        pullers.stream().mapToLong(PullerStats::followerGlobalCheckpoint).sum());
    details.put("seq_no", pullers.stream().mapToLong(PullerStats::lastRequestedSeqNo).sum());
    return details;
  }
}
