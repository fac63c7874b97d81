package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.NodeTracker;
import io.varve.control.ProgressTracker;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.ApiException;

/** The cluster as a coordinator sees and changes it. */
public interface ClusterService {

  /** The state as this process knows it now. */
  ClusterState state();

  /** The same, to be followed and waited for. */
  ClusterView view();

  /** This coordinator's node id. */
  String localNodeId();

  /** What each node said of itself last. */
  NodeTracker nodes();

  /** What each copy said of itself last. */
  ProgressTracker progress();

  /**
   * Has the leader carry the command out, here or elsewhere, and waits until this process sees it.
   *
   * @return the version of the state in which the wish holds
   * @throws ApiException what the leader refuses (4xx); 503 {@code
   *     cluster_manager_not_discovered_exception} when there was none in time; 503 {@code
   *     process_cluster_event_timeout_exception} when it did not answer in time: then the command
   *     may have been carried out or not
   */
  long execute(ClusterCommand command, long timeoutMillis);
}
