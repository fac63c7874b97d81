package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;

/**
 * The running processes of all members support the feature level of the cluster, and nothing of a
 * higher level exists: no event in the cluster log, and no strongly consistent index.
 */
final class NothingIsAboveTheFeatureLevel implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.EventApplied(var event, int level) ->
          require(event.since() <= level, "%s is logged at level %d", event, level);
      case Observation.ClusterLogged(var _, var now) -> {
        requireSupported(now, world);
        requireNoStrongIndexBelowItsLevel(now);
      }
      default -> {}
    }
  }

  private void requireSupported(ClusterState now, World world) {
    for (NodeInfo member : now.nodes().values()) {
      SimProcess process = world.processAt(member.url());
      boolean hasEnded = !member.incarnation().equals(process.toString());
      require(
          hasEnded || process.levels().contain(now.featureLevel()),
          "%s supports %s, the cluster is at level %d",
          process,
          process.levels(),
          now.featureLevel());
    }
  }

  private void requireNoStrongIndexBelowItsLevel(ClusterState now) {
    for (IndexMetadata index : now.indices().values()) {
      require(
          now.has(Feature.STRONG_CONSISTENCY) || !IndexSettings.isStrong(index.settings()),
          "%s is strongly consistent at level %d",
          index.name(),
          now.featureLevel());
    }
  }
}
