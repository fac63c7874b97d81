package io.varve.testkit.sim;

/**
 * A reader that starts with a snapshot of the cluster log reaches the same state as a reader of the
 * whole log.
 */
final class SnapshotStateEqualsTheWholeLogs implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.ClusterRead(var state)) {
      require(
          state.equals(world.indices().stateAt(state)),
          "version %s of term %s: read %s, the whole log says %s",
          state.version(),
          state.leaderTerm(),
          state,
          world.indices().stateAt(state));
    }
  }
}
