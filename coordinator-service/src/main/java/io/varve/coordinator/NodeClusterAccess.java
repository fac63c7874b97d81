package io.varve.coordinator;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.coordinator.cluster.ClusterCommand;
import io.varve.coordinator.cluster.CoordinatorNode;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ClusterChange;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The REST dialect's view of the cluster, through this coordinator. */
final class NodeClusterAccess implements ClusterAccess {

  private final CoordinatorNode node;

  NodeClusterAccess(CoordinatorNode node) {
    this.node = node;
  }

  @Override
  public ClusterState state() {
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
  public void change(ClusterChange change, Duration timeout) {
    node.execute(command(change), timeout.toMillis());
  }

  private static ClusterCommand command(ClusterChange change) {
    return switch (change) {
      case ClusterChange.CreateIndex c ->
          ClusterCommand.CreateIndex.of(c.name(), c.settings(), c.mapping());
      case ClusterChange.DeleteIndex c -> new ClusterCommand.DeleteIndices(List.of(c.indexUuid()));
      case ClusterChange.PutMapping c ->
          new ClusterCommand.PutMapping(List.of(c.indexUuid()), c.mapping());
      case ClusterChange.PutIndexSettings c ->
          new ClusterCommand.UpdateIndexSettings(
              List.of(c.indexUuid()), c.changes(), c.preserveExisting());
      case ClusterChange.PutClusterSettings c ->
          new ClusterCommand.UpdateClusterSettings(c.persistentChanges(), c.transientChanges());
    };
  }

  @Override
  public Optional<CopyProgress> progress(String copyId) {
    return node.progress().of(copyId);
  }

  @Override
  public Map<String, NodeHeartbeat> heartbeats() {
    Map<String, NodeHeartbeat> heartbeats = new TreeMap<>();
    node.nodes().signs().forEach((id, sign) -> heartbeats.put(id, sign.heartbeat()));
    return heartbeats;
  }

  @Override
  public String localNodeName() {
    return node.localNodeName();
  }
}
