package io.varve.coordinator.rest.shard;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A copy of a shard and the node that it is on. */
public record CopyAddress(ShardId shard, CopyRouting copy, NodeInfo node) {

  /** Empty when the copy is unassigned or its node is not a member. */
  public static Optional<CopyAddress> of(ClusterState state, ShardRouting shard, CopyRouting copy) {
    String nodeId = copy.nodeId();
    return nodeId == null
        ? Optional.empty()
        : state.node(nodeId).map(node -> new CopyAddress(shard.shard(), copy, node));
  }

  /** The started copies on members, the primary first. */
  public static List<CopyAddress> started(ClusterState state, ShardRouting shard) {
    List<CopyAddress> started = new ArrayList<>();
    for (CopyRouting copy : shard.copies()) {
      if (copy.started()) {
        of(state, shard, copy).ifPresent(started::add);
      }
    }
    return started;
  }
}
