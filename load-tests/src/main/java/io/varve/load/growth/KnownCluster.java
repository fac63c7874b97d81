package io.varve.load.growth;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A coordinator's view of a {@link LargeCluster}, without a log. */
final class KnownCluster implements ClusterAccess {

  private final LargeCluster cluster;
  private final List<Consumer<ClusterState>> listeners = new CopyOnWriteArrayList<>();
  private ClusterState state;

  KnownCluster(LargeCluster cluster) {
    this.cluster = cluster;
    this.state = cluster.state();
  }

  /** Applies one event and passes it to the listeners. */
  void publish() {
    IndexMetadata index = cluster.anyIndex();
    state =
        state.apply(
            new ClusterEvent.MappingChanged(
                index.uuid(), index.mappingVersion() + 1, index.mapping()));
    listeners.forEach(listener -> listener.accept(state));
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public boolean awaitVersion(long version, Duration timeout) {
    return state.version() >= version;
  }

  @Override
  public ClusterView.Registration listen(Consumer<ClusterState> listener) {
    listeners.add(listener);
    listener.accept(state);
    return () -> listeners.remove(listener);
  }

  @Override
  public Optional<CopyProgress> progress(String copyId) {
    return Optional.empty();
  }

  @Override
  public String localNodeId() {
    return LargeCluster.nodeId(0);
  }

  @Override
  public String localNodeName() {
    return localNodeId();
  }

  @Override
  public void change(ClusterCommand command, Duration timeout) {
    throw new UnsupportedOperationException("this cluster has no leader");
  }

  @Override
  public boolean awaitAcknowledged(Duration timeout) {
    return true;
  }

  @Override
  public boolean awaitCurrentState(Duration timeout) {
    return true;
  }

  @Override
  public Map<String, NodeHeartbeat> heartbeats() {
    Map<String, NodeHeartbeat> heartbeats = new HashMap<>();
    for (int number = 0; number < cluster.size().nodes(); number++) {
      heartbeats.put(LargeCluster.nodeId(number), LargeCluster.heartbeat(number));
    }
    return heartbeats;
  }

  @Override
  public ClusterView.Registration onFirstHeartbeat(Runnable listener) {
    return () -> {};
  }
}
