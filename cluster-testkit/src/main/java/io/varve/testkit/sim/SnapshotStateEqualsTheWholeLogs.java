package io.varve.testkit.sim;

/** Whoever begins with a snapshot of the cluster log knows what the whole log says. */
final class SnapshotStateEqualsTheWholeLogs implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.ClusterRead(var state)) {
      require(
          state.equals(world.wholeClusterLog(state)),
          "version %s of term %s: read %s, the whole log says %s",
          state.version(),
          state.leaderTerm(),
          state,
          world.wholeClusterLog(state));
    }
  }
}
