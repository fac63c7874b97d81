package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;

/** A copy whose allocation is explained, with its shard and index. */
record ExplainedCopy(IndexMetadata index, ShardRouting shard, CopyRouting copy) {

  static boolean isPlaced(ClusterState state, CopyRouting copy) {
    return copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
  }

  /** Returns the allocation state of an assigned copy. */
  String activity() {
    boolean moves = shard.relocationOf(copy.copyId()).isPresent();
    return moves ? "relocating" : copy.started() ? "started" : "initializing";
  }
}
