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
   * Makes the change, through the leader, and returns when {@link #state} shows it. Throws {@link
   * io.varve.rpc.ApiException} when it is refused or can't be made in time.
   */
  void change(ClusterCommand command, Duration timeout) throws InterruptedException;

  /** Each node's last sign of life, by node id. */
  Map<String, NodeHeartbeat> heartbeats();

  /** The last signs of life of the nodes that are not silent, members or not. */
  default Collection<NodeHeartbeat> beating() {
    return heartbeats().values();
  }

  /** Told when a process is heard of for the first time; must not block. */
  ClusterView.Registration onFirstHeartbeat(Runnable listener);

  /** The name of the coordinator that answers. */
  String localNodeName();
}
