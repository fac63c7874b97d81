package io.varve.coordinator;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.cluster.AppliedWait;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.cluster.CurrentState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Gives the REST dialect access to the cluster through this coordinator. */
final class NodeClusterAccess implements ClusterAccess {

  private final CoordinatorNode node;
  private final AppliedWait applied;
  private final CurrentState current;

  NodeClusterAccess(CoordinatorNode node, AppliedWait applied, CurrentState current) {
    this.node = node;
    this.applied = applied;
    this.current = current;
  }

  /**
   * Throws 503 while the state may lack changes that other coordinators have acknowledged: until
   * this coordinator has read the cluster log up to the end that the log had at start-up and has
   * joined, and while it knows that it was removed.
   */
  @Override
  public ClusterState state() {
    if (!node.lostReason().isEmpty()) {
      throw new ApiException(
          503,
          "cluster_manager_not_discovered_exception",
          "this coordinator can't read the cluster log: " + node.lostReason());
    }
    if (!node.mayServe()) {
      throw new ApiException(
          503,
          "cluster_block_exception",
          "blocked by: [SERVICE_UNAVAILABLE/"
              + (node.started().isDone()
                  ? "2/removed from the cluster, not joined again yet"
                  : "1/state not recovered / initialized")
              + "];");
    }
    return node.state();
  }

  @Override
  public ClusterState newestState() {
    return node.state();
  }

  @Override
  public boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
    return node.view().awaitVersion(version, timeout);
  }

  @Override
  public ClusterView.Registration listen(Consumer<ClusterState> listener) {
    return node.view().listen(listener);
  }

  @Override
  public void change(ClusterCommand command, Duration timeout) {
    node.execute(command, timeout.toMillis());
  }

  @Override
  public boolean awaitAcknowledged(Duration timeout) throws InterruptedException {
    return applied.await(timeout);
  }

  @Override
  public boolean awaitCurrentState(Duration timeout) throws InterruptedException {
    return current.await(timeout);
  }

  @Override
  public Optional<CopyProgress> progress(String copyId) {
    return node.progress().of(copyId);
  }

  /**
   * Returns the last heartbeats. Empty if no heartbeats arrive from the log, because old heartbeats
   * do not show which nodes are alive.
   */
  @Override
  public Map<String, NodeHeartbeat> heartbeats() {
    if (!node.hearsTheLog()) {
      return Map.of();
    }
    Map<String, NodeHeartbeat> heartbeats = new TreeMap<>();
    node.nodes().signs().forEach((id, sign) -> heartbeats.put(id, sign.heartbeat()));
    return heartbeats;
  }

  @Override
  public Collection<NodeHeartbeat> beating() {
    return node.beating();
  }

  @Override
  public Collection<NodeHeartbeat> heardWithin(Duration time) {
    return node.nodes().beating(time.toMillis());
  }

  @Override
  public ClusterView.Registration onFirstHeartbeat(Runnable listener) {
    return node.nodes().onNews(listener);
  }

  @Override
  public String localNodeId() {
    return node.localNodeId();
  }

  @Override
  public String localNodeName() {
    return node.localNodeName();
  }
}
