package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * How many copies serve, and the colour that follows: red when a primary doesn't, yellow when only
 * replicas don't, else green.
 *
 * @param delayed copies that wait for their node to come back; among the unassigned
 */
public record Health(
    Status status, int primaries, int active, int initializing, int unassigned, int delayed) {

  /** From good to bad. */
  public enum Status {
    GREEN,
    YELLOW,
    RED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final Health EMPTY = new Health(Status.GREEN, 0, 0, 0, 0, 0);

  public static Health of(ClusterState state, Collection<IndexMetadata> indices) {
    Health health = EMPTY;
    for (IndexMetadata index : indices) {
      health = health.plus(of(state, index));
    }
    return health;
  }

  public static Health of(ClusterState state, IndexMetadata index) {
    Health health = EMPTY;
    for (ShardRouting shard : index.shards()) {
      health = health.plus(of(state, shard));
    }
    return health;
  }

  public static Health of(ClusterState state, ShardRouting shard) {
    int active = 0;
    int initializing = 0;
    int unassigned = 0;
    int delayed = 0;
    for (CopyRouting copy : shard.copies()) {
      boolean lost = copy.nodeId() != null && !state.nodes().containsKey(copy.nodeId());
      if (lost || copy.state() == CopyRouting.State.UNASSIGNED) {
        unassigned++;
        delayed += lost ? 1 : 0;
      } else if (copy.started()) {
        active++;
      } else {
        initializing++;
      }
    }
    boolean primary = isActive(state, shard.primary());
    Status status =
        !primary ? Status.RED : active < shard.copies().size() ? Status.YELLOW : Status.GREEN;
    return new Health(status, primary ? 1 : 0, active, initializing, unassigned, delayed);
  }

  private static boolean isActive(ClusterState state, CopyRouting copy) {
    return copy.started() && state.nodes().containsKey(copy.nodeId());
  }

  private Health plus(Health other) {
    return new Health(
        status.compareTo(other.status) >= 0 ? status : other.status,
        primaries + other.primaries,
        active + other.active,
        initializing + other.initializing,
        unassigned + other.unassigned,
        delayed + other.delayed);
  }

  /** 100 when there is no copy at all. */
  public double activePercent() {
    int all = active + initializing + unassigned;
    return all == 0 ? 100.0 : 100.0 * active / all;
  }

  public static List<NodeInfo> dataNodes(ClusterState state) {
    return state.nodes().values().stream()
        .filter(node -> node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA))
        .toList();
  }

  public static boolean hasLeader(ClusterState state) {
    return state.nodes().containsKey(state.leaderNodeId());
  }
}
