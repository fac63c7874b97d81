package io.varve.coordinator.rest;

import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.events.NodeHeartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The REST dialect's access to the cluster: its state, its nodes, and changes of its state. */
public interface ClusterAccess extends ClusterStateSource {

  /**
   * Sends the change to the leader and returns when {@link #state} contains it. Throws {@link
   * io.varve.rpc.ApiException} if the change is rejected or not completed in time.
   */
  void change(ClusterCommand command, Duration timeout) throws InterruptedException;

  /**
   * Waits until the other coordinators have also applied {@link #state}, so that what this one
   * answers next holds for a request to any of them. Returns false after the timeout.
   */
  boolean awaitAcknowledged(Duration timeout) throws InterruptedException;

  /**
   * Waits until {@link #state} contains what the cluster log held at a moment after this call.
   * Returns false if the log does not answer, or if that is not read in time.
   */
  boolean awaitCurrentState(Duration timeout) throws InterruptedException;

  /** Returns the last heartbeat of each node, by node id. */
  Map<String, NodeHeartbeat> heartbeats();

  /**
   * Returns the last heartbeats of the nodes that have sent one within the node timeout, whether
   * they are members or not.
   */
  default Collection<NodeHeartbeat> beating() {
    return heartbeats().values();
  }

  /** Returns the last heartbeats of the nodes that have sent one within that time. */
  default Collection<NodeHeartbeat> heardWithin(Duration time) {
    return heartbeats().values();
  }

  /**
   * Registers a listener that is called on the first heartbeat of each process; it must not block.
   */
  ClusterView.Registration onFirstHeartbeat(Runnable listener);

  /** Whether security is on: requests have users. */
  default boolean isSecured() {
    return false;
  }

  /** Returns the name of this coordinator. */
  String localNodeName();
}
