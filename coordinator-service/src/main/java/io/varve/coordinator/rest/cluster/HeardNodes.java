package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.NodeHeartbeat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cluster's state as far as this coordinator can vouch for it: without the members whose
 * present process it has not heard yet.
 *
 * <p>Right after everything was restarted the cluster log still shows the processes of before, with
 * all their copies started. A sign of life of the very process that the log names is the proof that
 * it is not the past which is shown.
 */
public final class HeardNodes {

  private HeardNodes() {}

  public static ClusterState state(ClusterAccess cluster) {
    // Heartbeats first: a process that is heard later than the state was read joins later.
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
