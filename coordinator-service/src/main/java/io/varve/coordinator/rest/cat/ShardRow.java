package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.coordinator.rest.index.StatsReport;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code _cat/shards}: a copy's routing in the cluster state, and its reported statistics.
 *
 * @param node the copy's node; null if the copy is not on a member, which is shown as {@code
 *     UNASSIGNED}
 * @param reported the copy's report; null if the copy did not answer or has no node
 * @param globalCheckpoint the global checkpoint of its shard; -1 if unknown
 * @param failure why the copy failed on its node; null if it has not failed
 */
record ShardRow(
    IndexMetadata index,
    ShardRouting shard,
    CopyRouting copy,
    @Nullable NodeInfo node,
    StatsReport.@Nullable Copy reported,
    long globalCheckpoint,
    @Nullable String failure) {

  StatSections stats() {
    return reported == null ? StatSections.UNKNOWN : new StatSections(reported.sections());
  }

  String state() {
    return node == null
        ? "UNASSIGNED"
        : shard.relocationOf(copy.copyId()).isPresent() ? "RELOCATING" : copy.state().name();
  }

  @Nullable String unassignedReason() {
    return node == null
        ? UnassignedTimes.reason(copy)
        : isFailing() ? UnassignedTimes.FAILED : null;
  }

  @Nullable String unassignedDetails() {
    return node == null ? UnassignedTimes.details(copy) : isFailing() ? failure : null;
  }

  /** Whether the copy has a node and fails to open there. */
  private boolean isFailing() {
    return failure != null && !copy.started();
  }

  String kind() {
    return copy.primary() ? "p" : copy.searchOnly() ? "s" : "r";
  }

  /** Returns the node column, which includes the target of a relocation. */
  @Nullable String place(ClusterState state) {
    return node == null
        ? null
        : shard
            .relocationOf(copy.copyId())
            .flatMap(moving -> state.node(String.valueOf(moving.target().nodeId())))
            .map(to ->
                node.name() + " -> " + NodeFilter.host(to) + " " + to.nodeId() + " " + to.name())
            .orElse(node.name());
  }
}
