package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A copy and a node, for which the deciders decide whether the copy may be on the node. The copy
 * may be on that node, on another one, or unassigned.
 *
 * @param tally of the state
 */
record Candidate(
    ClusterState state,
    ShardRouting shard,
    CopyRouting copy,
    NodeInfo node,
    Supplier<CopyTally> tally) {

  /** A candidate for which the copies of the state are counted if a decider asks for it. */
  Candidate(ClusterState state, ShardRouting shard, CopyRouting copy, NodeInfo node) {
    this(state, shard, copy, node, () -> CopyTally.of(state));
  }

  boolean isHere() {
    return copy.isOn(node.nodeId());
  }

  IndexMetadata index() {
    return Objects.requireNonNull(
        state.index(shard.shard().indexUuid()).orElse(null), "the index of " + shard.shard());
  }

  /**
   * The number of copies of these shards on the node, including recovering ones, without those that
   * relocate away and without the candidate.
   */
  long others(List<ShardRouting> shards) {
    return shards.stream()
        .flatMap(Candidate::staying)
        .filter(other -> other.isOn(node.nodeId()) && !isItself(other))
        .count();
  }

  /** The same of all shards of the cluster. */
  long others() {
    boolean counted =
        staying(shard).anyMatch(other -> other.isOn(node.nodeId()) && isItself(other));
    return tally.get().staying(node.nodeId()) - (counted ? 1L : 0L);
  }

  private boolean isItself(CopyRouting other) {
    return other.copyId().equals(copy.copyId());
  }

  /** The copies of a shard and the targets of relocations, without the sources of relocations. */
  static Stream<CopyRouting> staying(ShardRouting shard) {
    return shard.everywhere().stream().filter(one -> shard.relocationOf(one.copyId()).isEmpty());
  }
}
