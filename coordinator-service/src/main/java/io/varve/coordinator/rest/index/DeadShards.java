package io.varve.coordinator.rest.index;

import io.varve.client.NodeClient;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.FolderPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the dead shards of an index: those without an active primary whose most advanced copy holds
 * operations that the log has lost. All data nodes are asked for their folder of the shard, except
 * those that only hold copies for searches.
 */
final class DeadShards {

  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final NodeClient nodes;
  private final Parallel parallel;

  DeadShards(NodeClient nodes, Parallel parallel) {
    this.nodes = nodes;
    this.parallel = parallel;
  }

  /** The folder of a node that answered. */
  private record Held(NodeInfo node, FolderPosition position) {}

  /**
   * A dead shard.
   *
   * @param node the node of the most advanced copy
   * @param lost the reason for which the log does not match that copy
   * @param missing the number of its copies, or of nodes that may have one, that are unavailable
   */
  record Dead(
      ShardRouting shard,
      NodeInfo node,
      FolderPosition position,
      String lost,
      int found,
      int missing) {}

  /**
   * @throws ApiException 503 if a copy is open although the log does not match it: it is about to
   *     close
   */
  List<Dead> of(ClusterState state, IndexMetadata index) throws InterruptedException {
    List<Dead> dead = new ArrayList<>();
    for (ShardRouting shard : index.shards()) {
      if (!shard.released() && !state.active(shard.primary())) {
        dead(state, shard).ifPresent(dead::add);
      }
    }
    return dead;
  }

  private Optional<Dead> dead(ClusterState state, ShardRouting shard) throws InterruptedException {
    List<NodeInfo> data =
        state.nodes().values().stream()
            .filter(node -> node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA))
            .toList();
    List<Held> answers =
        parallel.map(data, node -> ask(node, shard)).stream().flatMap(Optional::stream).toList();
    List<Held> held = answers.stream().filter(one -> one.position().held()).toList();
    int missing = Math.max(data.size() - answers.size(), shard.writeCopies().size() - held.size());
    Comparator<Held> further =
        Comparator.comparingLong((Held one) -> one.position().fenceTerm())
            .thenComparingLong(one -> one.position().nextSeqNo())
            .thenComparing(one -> shard.primary().isOn(one.node().nodeId()))
            .thenComparing(one -> one.node().has(NodeInfo.PRIMARY));
    Optional<Held> furthest = held.stream().max(further);
    String lost = furthest.map(one -> one.position().lost()).orElse(null);
    return lost == null
        ? Optional.empty()
        : furthest.map(
            one -> new Dead(shard, one.node(), one.position(), lost, held.size(), missing));
  }

  /** Empty if the node does not answer. */
  private Optional<Held> ask(NodeInfo node, ShardRouting shard) throws InterruptedException {
    try {
      return Optional.of(new Held(node, nodes.folder(node, shard.shard(), TIMEOUT)));
    } catch (ShardClient.UnreachableException e) {
      return Optional.empty();
    }
  }
}
