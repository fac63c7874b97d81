package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.rpc.PullerStats;
import java.util.Optional;

/**
 * The reason for which the primary of a follower's shard is not started, from the cluster state:
 * the puller only detects that it is not started.
 */
final class PrimaryFailure {

  private PrimaryFailure() {}

  /**
   * Empty if the primary is started or has not failed, and for a puller that can't continue,
   * because its own error is more specific.
   */
  static Optional<String> of(ClusterState state, IndexMetadata index, PullerStats puller) {
    CopyRouting primary = index.shard(puller.shardId()).primary();
    if (state.active(primary) || FollowStats.fatalType(puller.state()).isPresent()) {
      return Optional.empty();
    }
    if (primary.nodeId() != null && !state.nodes().containsKey(primary.nodeId())) {
      return Optional.of("node " + primary.nodeId() + " of the follower's primary left");
    }
    return UnassignedTimes.details(primary).isEmpty()
        ? Optional.empty()
        : Optional.of("the follower's primary is not started: " + primary.reason());
  }

  /**
   * The report of a puller, with the failure of the primary as its error. An idle puller does not
   * detect that the primary is unavailable.
   */
  static PullerStats explained(ClusterState state, IndexMetadata index, PullerStats puller) {
    return of(state, index, puller).map(puller::withLastError).orElse(puller);
  }
}
