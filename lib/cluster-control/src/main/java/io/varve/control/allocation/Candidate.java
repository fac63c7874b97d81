package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A copy and a node, for which the deciders decide whether the copy may be on the node. The copy
 * may be on that node, on another one, or unassigned.
 */
record Candidate(ClusterState state, ShardRouting shard, CopyRouting copy, NodeInfo node) {

  boolean isHere() {
    return copy.isOn(node.nodeId());
  }

  IndexMetadata index() {
    return Objects.requireNonNull(
        state.index(shard.shard().indexUuid()).orElse(null), "the index of " + shard.shard());
  }

  /**
   * The copies on this node, including recovering ones, without those that relocate away and
   * without the candidate.
   */
  Stream<CopyRouting> others(Stream<ShardRouting> shards, NodeInfo there) {
    return shards
        .flatMap(Candidate::staying)
        .filter(other -> other.isOn(there.nodeId()))
        .filter(other -> !other.copyId().equals(copy.copyId()));
  }

  /** The copies of a shard and the targets of relocations, without the sources of relocations. */
  static Stream<CopyRouting> staying(ShardRouting shard) {
    return shard.everywhere().stream().filter(one -> shard.relocationOf(one.copyId()).isEmpty());
  }
}
