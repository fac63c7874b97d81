package io.varve.control.allocation;

import io.varve.cluster.AutoExpansion;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Adjusts the number of replicas of an index to its {@link AutoExpansion}. */
final class ReplicaExpansion {

  private ReplicaExpansion() {}

  /** The change of the number of replicas, if it differs from the one for these nodes. */
  static Optional<ClusterEvent> change(ClusterState state, IndexMetadata index) {
    Optional<AutoExpansion> expansion =
        AutoExpansion.parse(
            IndexSettings.value(index.settings(), IndexSettings.AUTO_EXPAND_REPLICAS));
    if (expansion.isEmpty()) {
      return Optional.empty();
    }
    AllocationDeciders deciders = new AllocationDeciders(state, Set.of());
    int nodes =
        (int) state.nodes().values().stream().filter(node -> deciders.admit(index, node)).count();
    OptionalInt wanted = expansion.get().replicas(nodes);
    return wanted.isEmpty() || wanted.getAsInt() == index.numberOfReplicas()
        ? Optional.empty()
        : Optional.of(
            new ClusterEvent.IndexSettingsChanged(
                index.uuid(),
                index.settingsVersion() + 1,
                Map.of(IndexSettings.NUMBER_OF_REPLICAS, Integer.toString(wanted.getAsInt()))));
  }
}
