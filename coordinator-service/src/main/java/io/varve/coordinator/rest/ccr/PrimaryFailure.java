package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.PullerStats;
import java.util.Optional;

/**
 * Why the primary of a follower's shard is not started, as the cluster state tells: its puller only
 * knows that it is not.
 */
final class PrimaryFailure {

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
   * The report of a puller, with the failure of the primary as its error. An idle puller does not
   * notice that the primary is away. A puller that can't continue keeps its own error.
   */
  static PullerStats explained(ClusterState state, IndexMetadata index, PullerStats puller) {
    return FollowStats.fatalType(puller.state()).isPresent()
        ? puller
        : of(state, index, puller.shardId()).map(puller::withLastError).orElse(puller);
  }
}
