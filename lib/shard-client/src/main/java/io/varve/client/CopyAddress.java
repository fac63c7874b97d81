package io.varve.client;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A copy of a shard and its node. */
public record CopyAddress(ShardId shard, CopyRouting copy, NodeInfo node) {

  /** Empty when the copy is unassigned or its node is not a member. */
  public static Optional<CopyAddress> of(ClusterState state, ShardRouting shard, CopyRouting copy) {
    String nodeId = copy.nodeId();
    return nodeId == null
        ? Optional.empty()
        : state.node(nodeId).map(node -> new CopyAddress(shard.shard(), copy, node));
  }

  /** The started copies on members, the primary first. */
  public static List<CopyAddress> started(ClusterState state, ShardRouting shard) {
    return assigned(state, shard, shard.copies()).stream()
        .filter(copy -> copy.copy().started())
        .toList();
  }

  /** Copies that are still recovering and have reported that state. */
  public static List<CopyAddress> building(
      ClusterState state,
      ShardRouting shard,
      String as,
      Function<String, Optional<CopyProgress>> word) {
    return assigned(state, shard, shard.copies()).stream()
        .filter(copy -> copy.copy().state() == CopyRouting.State.INITIALIZING)
        .filter(copy ->
            word.apply(copy.copy().copyId())
                .filter(reported -> reported.state().equals(as))
                .isPresent())
        .toList();
  }

  /**
   * The primary on a member that is not started, of a shard that was started before. It is either a
   * promoted replica, which still shows its last view, or its process is new.
   */
  public static List<CopyAddress> takingOver(ClusterState state, ShardRouting shard) {
    return shard.neverStarted()
        ? List.of()
        : assigned(state, shard, List.of(shard.primary())).stream()
            .filter(copy -> copy.copy().state() == CopyRouting.State.INITIALIZING)
            .toList();
  }

  /** The started copies that writers wait for. */
  public static List<CopyAddress> writing(ClusterState state, ShardRouting shard) {
    return assigned(state, shard, shard.writeCopies()).stream()
        .filter(copy -> copy.copy().started())
        .toList();
  }

  /**
   * The copies on members, the primary first, including targets of relocations and excluding
   * search-only copies.
   */
  public static List<CopyAddress> assigned(ClusterState state, ShardRouting shard) {
    return assigned(
        state, shard, shard.everywhere().stream().filter(copy -> !copy.searchOnly()).toList());
  }

  private static List<CopyAddress> assigned(
      ClusterState state, ShardRouting shard, List<CopyRouting> copies) {
    List<CopyAddress> assigned = new ArrayList<>();
    for (CopyRouting copy : copies) {
      of(state, shard, copy).ifPresent(assigned::add);
    }
    return assigned;
  }
}
