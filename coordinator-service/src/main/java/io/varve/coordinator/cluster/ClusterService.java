package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.NodeTracker;
import io.varve.control.ProgressTracker;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.ApiException;

/** A coordinator's access to the cluster: its state, and commands that change it. */
public interface ClusterService {

  /** Returns the newest state that this process has read. */
  ClusterState state();

  /** Returns the view that supplies {@link #state}, for listeners and waits. */
  ClusterView view();

  /** Returns this coordinator's node id. */
  String localNodeId();

  /** Returns the tracker of the last heartbeat of each node. */
  NodeTracker nodes();

  /** Returns the tracker of the last progress report of each copy. */
  ProgressTracker progress();

  /**
   * Sends the command to the leader, in this or another process, and waits until this process has
   * read the result.
   *
   * @return the version of the state that contains the requested change
   * @throws ApiException the leader rejects the command (4xx); no leader is found in time (503
   *     {@code cluster_manager_not_discovered_exception}); or the leader does not answer in time,
   *     in which case the command may or may not have been executed (503 {@code
   *     process_cluster_event_timeout_exception})
   */
  long execute(ClusterCommand command, long timeoutMillis);
}
