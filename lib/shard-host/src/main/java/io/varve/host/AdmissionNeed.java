package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.Optional;

/**
 * Decides which primary must admit a replica of a strongly consistent index before it starts. Pure.
 *
 * <p>While no other copy serves, no primary can admit the replica: it starts, so that it can be
 * promoted. A search-only copy needs no admission, because it answers no realtime reads.
 */
public sealed interface AdmissionNeed {

  /** The copy starts without an admission. */
  record None() implements AdmissionNeed {}

  /**
   * No member of the cluster holds another copy as the primary: the copy can't start as a replica
   * now. A copy that is the primary must not admit itself, because its reads would then wait for
   * what it confirms as a replica.
   */
  record Unreachable() implements AdmissionNeed {}

  /** The primary on this node must admit it. */
  record Of(NodeInfo primary) implements AdmissionNeed {}

  /**
   * @param state the cluster state that the copy's node knows
   */
  static AdmissionNeed of(ClusterState state, ShardId shard, String copyId) {
    Optional<ShardRouting> routing = state.shard(shard);
    boolean counts =
        routing.isPresent()
            && routing.get().everywhere().stream()
                .filter(copy -> copy.copyId().equals(copyId))
                .noneMatch(CopyRouting::searchOnly);
    if (!counts || !state.othersServe(routing.orElseThrow(), copyId)) {
      return new None();
    }
    CopyRouting primary = routing.orElseThrow().primary();
    String nodeId = primary.nodeId();
    return nodeId == null || primary.copyId().equals(copyId)
        ? new Unreachable()
        : state.node(nodeId).<AdmissionNeed>map(Of::new).orElseGet(Unreachable::new);
  }
}
