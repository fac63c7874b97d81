package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reconciler.Place;
import io.varve.events.ReaderVersion;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the active replica that becomes the primary.
 *
 * <pre>
 *   the primary is unassigned, or its node left     any active replica
 *   the primary's process is new, and newer than    one of these replicas: they could not read the
 *   the nodes of replicas that read its segments    segments that the new process would write
 * </pre>
 *
 * Of several, the one on the node of the oldest version is chosen, whose segments all others can
 * read, then one on a node with the role primary, then the one with the smallest id. A replica is
 * not promoted where a copy of the shard failed recently, nor while the primary is handing over.
 */
final class Promotion {

  private Promotion() {}

  /**
   * @param refused places where a copy failed recently
   */
  static Optional<ClusterEvent> next(ClusterState state, ShardRouting shard, Set<Place> refused) {
    if (shard.handOver().isPresent()) {
      return Optional.empty();
    }
    CopyRouting primary = shard.primary();
    NodeInfo node = state.nodes().get(String.valueOf(primary.nodeId()));
    return shard.replicas().stream()
        .filter(state::active)
        .filter(copy -> !isRefused(shard, copy, refused))
        .filter(
            copy -> node == null || isStranded(copy, new Candidate(state, shard, primary, node)))
        .min(
            Comparator.comparing((CopyRouting copy) -> readerVersion(state, copy))
                .thenComparing(copy -> !node(state, copy).has(NodeInfo.PRIMARY))
                .thenComparing(CopyRouting::copyId))
        .map(copy ->
            new ClusterEvent.ReplicaPromoted(
                shard.shard(), copy.copyId(), shard.newestTerm() + 1, reason(primary, node)));
  }

  private static boolean isRefused(ShardRouting shard, CopyRouting copy, Set<Place> refused) {
    return copy.nodeId() != null && refused.contains(new Place(shard.shard(), copy.nodeId()));
  }

  /** A primary that has started has already written segments of its version. */
  private static boolean isStranded(CopyRouting replica, Candidate primary) {
    return primary.copy().state() == State.INITIALIZING
        && NodeVersionDecider.strands(primary, replica);
  }

  private static NodeInfo node(ClusterState state, CopyRouting active) {
    return Objects.requireNonNull(state.nodes().get(String.valueOf(active.nodeId())));
  }

  private static ReaderVersion readerVersion(ClusterState state, CopyRouting active) {
    return node(state, active).readerVersion();
  }

  private static String reason(CopyRouting primary, @Nullable NodeInfo node) {
    if (node != null) {
      return "NODE_LEFT: its new process is newer than the nodes of replicas";
    }
    return primary.nodeId() == null ? primary.reason() : "NODE_LEFT";
  }
}
