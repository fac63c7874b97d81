package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import java.util.List;

/**
 * Routes searches of an index with search-only copies: to these only, unless the client's
 * preference or a cluster setting says otherwise. When none of them serves, the searches fail, so
 * that the writing copies stay free of search load.
 */
final class SearchReplicas {

  private SearchReplicas() {}

  /** The copies of a shard that a search without a preference may use. */
  static List<CopyAddress> searched(
      ClusterState state, IndexMetadata index, List<CopyAddress> started) {
    return index.numberOfSearchReplicas() > 0
            && ClusterSettings.flag(state, ClusterSettings.STRICT_SEARCH_REPLICA)
        ? started.stream().filter(copy -> copy.copy().searchOnly()).toList()
        : started;
  }
}
