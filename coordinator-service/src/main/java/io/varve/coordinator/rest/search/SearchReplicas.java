package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import java.util.List;

/**
 * Where the searches of an index go that has copies for searches alone: to these only, unless the
 * client prefers others or the cluster says otherwise. Without one that serves they fail: what is
 * kept away from the writing copies stays away.
 */
final class SearchReplicas {

  private SearchReplicas() {}

  /** Those of the copies of a shard that a search without a preference may go to. */
  static List<CopyAddress> searched(
      ClusterState state, IndexMetadata index, List<CopyAddress> started) {
    return index.numberOfSearchReplicas() > 0
            && ClusterSettings.flag(state, ClusterSettings.STRICT_SEARCH_REPLICA)
        ? started.stream().filter(copy -> copy.copy().searchOnly()).toList()
        : started;
  }
}
