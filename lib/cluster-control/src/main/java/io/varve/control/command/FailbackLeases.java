package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.events.FollowerLease;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the leases that a finished failback no longer needs. A promoted index retains its log from
 * its forks on under the holder of {@link Fork#holder}, for the former leader. This lease is
 * released when the successor of the former leader has taken the name of its index, and has its own
 * lease on every shard. Otherwise, the lease would last for its whole period.
 *
 * <p>Pure functions of the two states, so nothing is recorded, and a change of the leading
 * coordinator delays a release only.
 */
public final class FailbackLeases {

  private FailbackLeases() {}

  /**
   * @param own the state of the former leader's cluster
   * @param remoteCluster the alias of the promoted index's cluster
   * @param leaders the state of that cluster
   */
  public static List<LeaseRenewal.Release> unneeded(
      ClusterState own, String remoteCluster, ClusterState leaders) {
    return own.indices().values().stream()
        .flatMap(index -> unneeded(own, remoteCluster, leaders, index).stream())
        .toList();
  }

  private static Optional<LeaseRenewal.Release> unneeded(
      ClusterState own, String remoteCluster, ClusterState leaders, IndexMetadata index) {
    FollowRelation follow = index.follow();
    if (follow == null || follow.beingReplaced() || !follow.remoteCluster().equals(remoteCluster)) {
      return Optional.empty();
    }
    Failback failback = follow.failback().orElse(null);
    IndexMetadata promoted = leaders.index(follow.leaderUuid()).orElse(null);
    if (failback == null || promoted == null) {
      return Optional.empty();
    }
    String holder = Fork.holder(failback.formerUuid());
    RetentionLease lease = promoted.leases().get(holder);
    return lease != null && lease.isActive() && isRetained(own, index, promoted)
        ? Optional.of(new LeaseRenewal.Release(promoted.uuid(), holder))
        : Optional.empty();
  }

  private static boolean isRetained(
      ClusterState own, IndexMetadata follower, IndexMetadata promoted) {
    RetentionLease lease =
        promoted.leases().get(FollowerLease.holder(own.clusterUuid(), follower.uuid()));
    return lease != null
        && IntStream.range(0, promoted.numberOfShards())
            .allMatch(shard -> lease.retainedFrom(shard) >= 0);
  }
}
