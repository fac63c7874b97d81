package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;

/** A copy whose place is explained, and what it is a copy of. */
record ExplainedCopy(IndexMetadata index, ShardRouting shard, CopyRouting copy) {

  static boolean isPlaced(ClusterState state, CopyRouting copy) {
    return copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
  }

  /** What a copy that has a place does there. */
  String activity() {
    boolean moves = shard.relocationOf(copy.copyId()).isPresent();
    return moves ? "relocating" : copy.started() ? "started" : "initializing";
  }
}
