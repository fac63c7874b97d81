package io.varve.cluster;

import io.varve.events.NodeHeartbeat;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds cluster states for tests. */
public final class Clusters {

  private Clusters() {}

  public static NodeInfo node(String id, String... roles) {
    return new NodeInfo(id, id, id + "-1", Set.of(roles), "http://" + id);
  }

  public static ClusterState with(NodeInfo... nodes) {
    ClusterState state =
        ClusterState.EMPTY.apply(new ClusterEvent.ClusterFormed("test", "cluster-uuid"));
    for (NodeInfo node : nodes) {
      state = state.apply(new ClusterEvent.NodeJoined(node));
    }
    return state;
  }

  public static IndexMetadata index(String name, int shards, int replicas) {
    List<ShardRouting> routing = new ArrayList<>();
    for (int number = 0; number < shards; number++) {
      List<CopyRouting> copies = new ArrayList<>();
      for (int copy = 0; copy <= replicas; copy++) {
        copies.add(
            CopyRouting.unassigned(name + "-" + number + "-" + copy, copy == 0, "INDEX_CREATED"));
      }
      routing.add(new ShardRouting(new ShardId(name + "-uuid", number), 0, copies));
    }
    return new IndexMetadata(
        name,
        name + "-uuid",
        0,
        Map.of(
            "index.number_of_shards",
            Integer.toString(shards),
            "index.number_of_replicas",
            Integer.toString(replicas)),
        1,
        "{}",
        1,
        null,
        routing);
  }

  public static NodeHeartbeat heartbeat(NodeInfo node) {
    return new NodeHeartbeat(
        node.nodeId(),
        node.name(),
        node.incarnation(),
        node.roles(),
        node.url(),
        0,
        new NodeHeartbeat.Load(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  public static ClusterState apply(ClusterState state, List<ClusterEvent> events) {
    ClusterState next = state;
    for (ClusterEvent event : events) {
      next = next.apply(event);
    }
    return next;
  }
}
