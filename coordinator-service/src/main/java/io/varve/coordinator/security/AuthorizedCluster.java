package io.varve.coordinator.security;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.access.Access;
import io.varve.coordinator.access.CommandNames;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Checks the names in every change that a request makes before it is sent to the leader. */
public final class AuthorizedCluster implements ClusterAccess {

  private final ClusterAccess cluster;

  public AuthorizedCluster(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public void change(ClusterCommand command, Duration timeout) throws InterruptedException {
    CommandNames.check(Access.current(), cluster.state(), command);
    cluster.change(command, timeout);
  }

  @Override
  public boolean awaitAcknowledged(Duration timeout) throws InterruptedException {
    return cluster.awaitAcknowledged(timeout);
  }

  @Override
  public boolean awaitCurrentState(Duration timeout) throws InterruptedException {
    return cluster.awaitCurrentState(timeout);
  }

  @Override
  public boolean isSecured() {
    return true;
  }

  @Override
  public ClusterState state() {
    return cluster.state();
  }

  @Override
  public Ticker clock() {
    return cluster.clock();
  }

  @Override
  public boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
    return cluster.awaitVersion(version, timeout);
  }

  @Override
  public ClusterView.Registration listen(Consumer<ClusterState> listener) {
    return cluster.listen(listener);
  }

  @Override
  public Optional<CopyProgress> progress(String copyId) {
    return cluster.progress(copyId);
  }

  @Override
  public Map<String, NodeHeartbeat> heartbeats() {
    return cluster.heartbeats();
  }

  @Override
  public Collection<NodeHeartbeat> beating() {
    return cluster.beating();
  }

  @Override
  public Collection<NodeHeartbeat> heardWithin(Duration time) {
    return cluster.heardWithin(time);
  }

  @Override
  public ClusterView.Registration onFirstHeartbeat(Runnable listener) {
    return cluster.onFirstHeartbeat(listener);
  }

  @Override
  public String localNodeId() {
    return cluster.localNodeId();
  }

  @Override
  public String localNodeName() {
    return cluster.localNodeName();
  }
}
