package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import java.util.List;

/**
 * Routes searches of an index with search-only copies. They go only to these copies, unless the
 * client's preference or a cluster setting allows others. When none of them serves, searches fail,
 * so that search load never reaches the writing copies.
 */
final class SearchReplicas {

  private SearchReplicas() {}

  /** Returns the copies of a shard that a search without a preference may use. */
  static List<CopyAddress> searched(
      ClusterState state, IndexMetadata index, List<CopyAddress> started) {
    return index.numberOfSearchReplicas() > 0
            && ClusterSettings.flag(state, ClusterSettings.STRICT_SEARCH_REPLICA)
        ? started.stream().filter(copy -> copy.copy().searchOnly()).toList()
        : started;
  }
}
