package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.PullerStats;
import java.util.Optional;
import java.util.Set;

/**
 * Why the primary of a follower's shard is not started, as the cluster state tells: its puller only
 * knows that it is not.
 */
final class PrimaryFailure {

  /** States of shards that no puller continues while the primary is not started. */
  private static final Set<String> WAITING = Set.of("WAITING", FollowStats.UNASSIGNED);

  private PrimaryFailure() {}

  /** Empty if the primary is started, or has not failed. */
  private static Optional<String> of(ClusterState state, IndexMetadata index, int shard) {
    CopyRouting primary = index.shard(shard).primary();
    if (state.active(primary)) {
      return Optional.empty();
    }
    if (primary.nodeId() != null && !state.nodes().containsKey(primary.nodeId())) {
      return Optional.of("node " + primary.nodeId() + " of the follower's primary left");
    }
    boolean hasFailed = primary.reason().indexOf(':') >= 0;
    return hasFailed
        ? Optional.of("the follower's primary is not started: " + primary.reason())
        : Optional.empty();
  }

  /**
   * The report of a puller, with the failure of the primary as its error if the puller waits for
   * it, or if there is no puller.
   */
  static PullerStats explained(ClusterState state, IndexMetadata index, PullerStats puller) {
    return WAITING.contains(puller.state())
        ? of(state, index, puller.shardId()).map(puller::withLastError).orElse(puller)
        : puller;
  }
}
