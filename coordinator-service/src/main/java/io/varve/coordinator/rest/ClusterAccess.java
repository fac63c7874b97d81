package io.varve.coordinator.rest;

import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.events.NodeHeartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The cluster as the REST dialect needs it: its state, its nodes, and a way to change it. */
public interface ClusterAccess extends ClusterStateSource {

  /**
   * Sends the change to the leader and returns when {@link #state} contains it. Throws {@link
   * io.varve.rpc.ApiException} when it is refused or cannot be made in time.
   */
  void change(ClusterCommand command, Duration timeout) throws InterruptedException;

  /** The last heartbeat of each node, by node id. */
  Map<String, NodeHeartbeat> heartbeats();

  /** The last heartbeats of the nodes that are not silent, members or not. */
  default Collection<NodeHeartbeat> beating() {
    return heartbeats().values();
  }

  /** The listener is called on the first heartbeat of a process; it must not block. */
  ClusterView.Registration onFirstHeartbeat(Runnable listener);

  /** The name of the coordinator that answers. */
  String localNodeName();
}
