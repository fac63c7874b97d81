package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides that a shard whose log lost records is revived from the copy on one node. The coordinator
 * that received the request has compared the copies; this class checks that nothing has changed
 * since then.
 */
final class RevivalDecisions {

  private RevivalDecisions() {}

  static Decision revive(
      ClusterState state, ClusterCommand.ReviveShard request, Supplier<String> ids) {
    Optional<ShardRouting> found = state.shard(request.shard());
    IndexMetadata index = state.index(request.shard().indexUuid()).orElse(null);
    if (found.isEmpty() || index == null) {
      throw new ApiException(404, "index_not_found_exception", "no such shard " + request.shard());
    }
    ShardRouting shard = found.get();
    String called = "[" + index.name() + "][" + request.shard().number() + "]";
    if (index.closed() || index.follow() != null || shard.released()) {
      return refused(called + " is closed, follows another cluster or has no writers");
    }
    if (shard.newestTerm() != request.lastTerm()
        || request.revival().term() != request.lastTerm() + 1
        || state.active(shard.primary())) {
      return new Decision.Refused(
          ErrorBody.of(
              409,
              "illegal_state_exception",
              "the primary of " + called + " has changed since its copies were compared"));
    }
    NodeInfo node = state.nodes().get(request.nodeId());
    if (node == null || !node.holdsCopies()) {
      return refused("node [" + request.nodeId() + "] is not a data node of this cluster");
    }
    String copyId = shard.primary().isOn(request.nodeId()) ? shard.primary().copyId() : ids.get();
    return Decision.of(
        new ClusterEvent.ShardRevived(
            request.shard(), copyId, request.nodeId(), request.revival()));
  }

  private static Decision refused(String reason) {
    return new Decision.Refused(ErrorBody.illegalArgument(reason));
  }
}
