package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a data node may ask of the leader: it reports only events of its own process. A
 * primary that finds a wrong replica notifies the replica, which then reports itself.
 *
 * <pre>
 *   a term                  for the node itself
 *   a copy started, failed  the copy is on the node, and the report is not of another node's process
 *   a lease over its limit  the node has a copy of the shard
 *   a lost history          the node has a copy of the index
 * </pre>
 *
 * <p>A report of a copy that is no longer assigned changes nothing, so it may arrive late. Pure.
 */
public final class NodeRights {

  private static final String TYPE = "security_exception";

  private NodeRights() {}

  /** Whether a command was refused because its sender may not ask for it. */
  public static boolean isRefusal(ErrorBody error) {
    return error.status() == 403 && error.type().equals(TYPE);
  }

  /** The reason for which the node may not ask for this; empty if it may. */
  public static Optional<ErrorBody> refusal(
      ClusterState state, ClusterCommand command, String nodeId) {
    return switch (command) {
      case ClusterCommand.NewTerm(ClusterCalls.NewTerm call) ->
          otherNode(nodeId, Optional.of(call.nodeId()));
      case ClusterCommand.CopyStarted(ClusterCalls.CopyStarted news) ->
          ofCopy(state, nodeId, news.shard(), news.copyId(), news.incarnation());
      case ClusterCommand.CopyFailed(ClusterCalls.CopyFailed news) ->
          ofCopy(state, nodeId, news.shard(), news.copyId(), news.incarnation());
      case ClusterCommand.LeaseOverLimit(ClusterCalls.LeaseOverLimit news) ->
          withoutCopy(nodeId, state.shard(news.shard()).stream().toList());
      case ClusterCommand.ReplaceFollower(ClusterCalls.LostHistory news) ->
          withoutCopy(
              nodeId, state.index(news.indexUuid()).map(IndexMetadata::shards).orElse(List.of()));
      default -> Optional.of(refused(nodeId, "send commands"));
    };
  }

  /**
   * The process is also compared: if the state names no node for a copy, the report of any process
   * would otherwise be accepted.
   */
  private static Optional<ErrorBody> ofCopy(
      ClusterState state, String nodeId, ShardId shard, String copyId, String incarnation) {
    Optional<String> place =
        state
            .shard(shard)
            .flatMap(s -> s.copy(copyId).or(() -> s.relocationTo(copyId).map(Relocation::target)))
            .map(CopyRouting::nodeId);
    Optional<String> process =
        state.nodes().values().stream()
            .filter(node -> node.incarnation().equals(incarnation))
            .map(NodeInfo::nodeId)
            .findFirst();
    return otherNode(nodeId, place).or(() -> otherNode(nodeId, process));
  }

  private static Optional<ErrorBody> otherNode(String nodeId, Optional<String> named) {
    return named
        .filter(other -> !other.equals(nodeId))
        .map(other -> refused(nodeId, "act for the node [" + other + "]"));
  }

  /** Nothing is refused for a shard that does not exist. */
  private static Optional<ErrorBody> withoutCopy(String nodeId, List<ShardRouting> shards) {
    return shards.isEmpty() || shards.stream().anyMatch(shard -> has(shard, nodeId))
        ? Optional.empty()
        : Optional.of(refused(nodeId, "report on " + shards.getFirst().shard()));
  }

  private static boolean has(ShardRouting shard, String nodeId) {
    return shard.copies().stream().anyMatch(copy -> copy.isOn(nodeId))
        || shard.relocations().stream().anyMatch(moving -> moving.target().isOn(nodeId));
  }

  private static ErrorBody refused(String nodeId, String what) {
    return ErrorBody.of(
        403, TYPE, "the certificate is that of the node [" + nodeId + "], which may not " + what);
  }
}
