package io.varve.coordinator.rest.document;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Rejects writes of a shard whose SEGMENT replicas fall behind persistently, which bounds their
 * lag.
 *
 * <pre>
 *   stale      operations are not visible on the replica, and its lag has exceeded the limit of
 *              checkpoints for longer than the limit of time
 *   rejected   stale replicas / serving replicas >= the share
 * </pre>
 *
 * A merge publishes checkpoints without operations, which make no replica stale. A recovering
 * replica does not serve and does not count.
 */
public final class ReplicationPressure {

  /** The limits, from the cluster settings. */
  record Limits(boolean enabled, int checkpoints, long millis, double staleShare) {

    static Limits of(ClusterState state) {
      return new Limits(
          Boolean.parseBoolean(ClusterSettings.value(state, ClusterSettings.PRESSURE_ENABLED)),
          Integer.parseInt(ClusterSettings.value(state, ClusterSettings.PRESSURE_CHECKPOINTS)),
          ClusterSettings.millis(state, ClusterSettings.PRESSURE_TIME),
          Double.parseDouble(ClusterSettings.value(state, ClusterSettings.PRESSURE_STALE_SHARE)));
    }
  }

  private final ClusterAccess cluster;
  private final Map<ShardId, LongAdder> rejections = new ConcurrentHashMap<>();

  public ReplicationPressure(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** Returns why writes to that shard are rejected at present; empty if they are not. */
  Optional<ErrorBody> refusal(IndexMetadata index, int number) {
    if (!index.replicationType().equals(IndexMetadata.SEGMENT)) {
      return Optional.empty();
    }
    ClusterState state = cluster.state();
    Optional<ShardRouting> shard = state.shard(new ShardId(index.uuid(), number));
    if (shard.isEmpty()) {
      return Optional.empty();
    }
    long written =
        cluster
            .progress(shard.get().primary().copyId())
            .map(CopyProgress::appliedSeqNo)
            .orElse(-1L);
    List<CopyProgress> replicas =
        shard.get().replicas().stream()
            .filter(CopyRouting::started)
            .flatMap(replica -> cluster.progress(replica.copyId()).stream())
            .toList();
    List<CopyProgress> stale = stale(replicas, written, Limits.of(state));
    if (stale.isEmpty()) {
      return Optional.empty();
    }
    rejections.computeIfAbsent(shard.get().shard(), _ -> new LongAdder()).increment();
    return Optional.of(
        ErrorBody.of(
            429,
            "rejected_execution_exception",
            "rejected execution on primary shard: ["
                + index.name()
                + "]["
                + number
                + "] Stale Replicas: "
                + stale.stream().map(ReplicationPressure::text).collect(Collectors.toList())));
  }

  /** Returns the stale replicas, or none if they are too few to reject writes. */
  static List<CopyProgress> stale(List<CopyProgress> replicas, long written, Limits limits) {
    if (!limits.enabled() || replicas.isEmpty()) {
      return List.of();
    }
    List<CopyProgress> stale =
        replicas.stream()
            .filter(replica ->
                replica.visibleSeqNo() < written
                    && replica.checkpointsBehind() > limits.checkpoints()
                    && replica.millisBehind() > limits.millis())
            .toList();
    return stale.size() >= limits.staleShare() * replicas.size() ? stale : List.of();
  }

  private static String text(CopyProgress replica) {
    return "SegmentReplicationShardStats{allocationId="
        + replica.copyId()
        + ", checkpointsBehindCount="
        + replica.checkpointsBehind()
        + ", bytesBehindCount="
        + replica.bytesBehind()
        + ", currentReplicationTimeMillis="
        + replica.millisBehind()
        + ", lastCompletedReplicationTimeMillis="
        + replica.lastLagMillis()
        + "}";
  }

  /** Returns the number of batches for that shard that this coordinator has rejected. */
  public long rejections(ShardId shard) {
    LongAdder count = rejections.get(shard);
    return count == null ? 0 : count.sum();
  }

  /** Returns the number of batches that this coordinator has rejected. */
  public long rejections() {
    return rejections.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Returns the statistics for the node stats. */
  public Map<String, Object> stats() {
    return Map.of("total_rejected_requests", rejections());
  }
}
