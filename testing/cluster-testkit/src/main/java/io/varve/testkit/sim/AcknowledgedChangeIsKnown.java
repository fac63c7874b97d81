package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A coordinator that serves a request knows all changes that were acknowledged before. The
 * exception is a coordinator that was removed from the members and does not know it.
 */
final class AcknowledgedChangeIsKnown implements Invariant {

  private record Change(long version, Set<String> members) {}

  private final List<Change> acknowledged = new ArrayList<>();

  private static Set<String> members(ClusterState state) {
    return state.nodes().values().stream().map(NodeInfo::incarnation).collect(Collectors.toSet());
  }

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Acknowledged(long version, var state) ->
          acknowledged.add(new Change(version, members(state)));
      case Observation.Requested(String process, var state) -> {
        boolean callsItselfMember = members(state).contains(process);
        for (Change change : acknowledged) {
          boolean wasRemoved = callsItselfMember && !change.members().contains(process);
          require(
              wasRemoved || state.version() >= change.version(),
              "%s serves a request in version %d, and version %d was acknowledged",
              process,
              state.version(),
              change.version());
        }
      }
      default -> {}
    }
  }
}
