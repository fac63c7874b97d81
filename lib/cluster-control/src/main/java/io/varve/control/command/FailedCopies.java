package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.LogCompleteness;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides the events for a copy that its node reported as failed.
 *
 * <pre>
 *                                  the log suffices   folders may have the only copy
 *   started replica                unassigned         reopened on its node
 *   started primary, others serve  unassigned         unassigned
 *   started primary, none serves   unassigned         reopened on its node
 *   not started, others serve      unassigned         unassigned
 *   not started, none serves       unassigned         reopened for a new reason, else keeps its place
 *   search-only                    unassigned         unassigned
 * </pre>
 *
 * <p>INVARIANT: where folders may have the only copy of operations, a started copy never loses its
 * node by one report. The leader notices the end of another copy's process late, so "others serve"
 * may be wrong at that moment. The next report comes from the reopened copy, after its own
 * attempts. Reopening a copy records the reason in the cluster state; the same reason is recorded
 * once.
 */
final class FailedCopies {

  private FailedCopies() {}

  /**
   * @param copy is assigned to a node
   * @param ids of copies
   */
  static List<ClusterEvent> events(
      ClusterState state,
      ShardRouting shard,
      CopyRouting copy,
      String reason,
      Supplier<String> ids) {
    String nodeId = copy.nodeId();
    String recorded = "ALLOCATION_FAILED: " + reason;
    ClusterEvent unassigned =
        new ClusterEvent.CopyUnassigned(shard.shard(), copy.copyId(), recorded);
    boolean replaceable =
        copy.searchOnly()
            || state
                .index(shard.shard().indexUuid())
                .filter(index -> !LogCompleteness.isCertain(index, shard))
                .isEmpty();
    boolean othersServe = state.othersServe(shard, copy.copyId());
    boolean isReplaced = othersServe && (copy.primary() || !copy.started());
    if (nodeId == null || replaceable || isReplaced) {
      return List.of(unassigned);
    }
    if (!copy.started() && copy.reason().equals(recorded)) {
      return List.of();
    }
    return List.of(unassigned, reopened(shard, copy, nodeId, ids));
  }

  private static ClusterEvent reopened(
      ShardRouting shard, CopyRouting copy, String nodeId, Supplier<String> ids) {
    return copy.primary()
        ? new ClusterEvent.PrimaryAssigned(shard.shard(), ids.get(), nodeId, shard.newestTerm() + 1)
        : new ClusterEvent.ReplicaAssigned(shard.shard(), copy.copyId(), ids.get(), nodeId);
  }
}
