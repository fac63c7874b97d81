package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.NodeHeartbeat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cluster state without the members from whose current process this coordinator has not
 * received a heartbeat yet.
 *
 * <p>Right after a restart of all processes, the cluster log still contains the previous processes
 * with all their copies started. A heartbeat from exactly the process that the log names proves
 * that its entry is current.
 */
public final class HeardNodes {

  private HeardNodes() {}

  public static ClusterState state(ClusterAccess cluster) {
    // Heartbeats are read first: a process whose heartbeat arrives after the state was read joins
    // later.
    Map<String, NodeHeartbeat> heartbeats = cluster.heartbeats();
    ClusterState state = cluster.state();
    Map<String, NodeInfo> heard = new TreeMap<>(state.nodes());
    heard.values().removeIf(node -> !isHeard(node, heartbeats));
    return heard.size() == state.nodes().size() ? state : state.withNodes(heard);
  }

  private static boolean isHeard(NodeInfo node, Map<String, NodeHeartbeat> heartbeats) {
    NodeHeartbeat heartbeat = heartbeats.get(node.nodeId());
    return heartbeat != null && heartbeat.incarnation().equals(node.incarnation());
  }
}
