package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.NodeTracker;
import io.varve.control.ProgressTracker;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.ApiException;

/** The cluster as a coordinator sees and changes it. */
public interface ClusterService {

  /** The newest state that this process has read. */
  ClusterState state();

  /** The view behind {@link #state}, for listeners and waits. */
  ClusterView view();

  /** This coordinator's node id. */
  String localNodeId();

  /** The last heartbeat of each node. */
  NodeTracker nodes();

  /** The last progress report of each copy. */
  ProgressTracker progress();

  /**
   * Sends the command to the leader, here or in another process, and waits until this process sees
   * the result.
   *
   * @return the version of the state that contains the requested change
   * @throws ApiException the leader's refusal (4xx); 503 {@code
   *     cluster_manager_not_discovered_exception} when no leader was found in time; 503 {@code
   *     process_cluster_event_timeout_exception} when the leader did not answer in time, in which
   *     case the command may or may not have been executed
   */
  long execute(ClusterCommand command, long timeoutMillis);
}
