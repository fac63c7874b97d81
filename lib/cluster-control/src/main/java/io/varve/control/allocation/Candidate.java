package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.Objects;
import java.util.stream.Stream;

/** The question whether a copy may stand on a node: it may be there, elsewhere or nowhere now. */
record Candidate(ClusterState state, ShardRouting shard, CopyRouting copy, NodeInfo node) {

  boolean isHere() {
    return copy.isOn(node.nodeId());
  }

  IndexMetadata index() {
    return Objects.requireNonNull(
        state.index(shard.shard().indexUuid()).orElse(null), "the index of " + shard.shard());
  }

  /** Copies that stand or are built here, those that leave left out, and the candidate too. */
  Stream<CopyRouting> others(Stream<ShardRouting> shards, NodeInfo there) {
    return shards
        .flatMap(Candidate::staying)
        .filter(other -> other.isOn(there.nodeId()))
        .filter(other -> !other.copyId().equals(copy.copyId()));
  }

  /** The copies of a shard and what is built for them, without those that are on their way. */
  static Stream<CopyRouting> staying(ShardRouting shard) {
    return shard.everywhere().stream().filter(one -> shard.relocationOf(one.copyId()).isEmpty());
  }
}
