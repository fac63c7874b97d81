package io.varve.control.command;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.rpc.ErrorBody;
import java.util.Collection;
import java.util.Optional;

/**
 * The limit on the copies of a cluster, checked when an index is created or opened and when copies
 * are added to it.
 *
 * <pre>
 *   copies of an index = shards * (1 + replicas + search replicas)
 *   limit              = cluster.max_shards_per_node * data nodes
 * </pre>
 *
 * Closed indices do not count. A cluster without data nodes has no limit, so that indices can be
 * created before the first node joins. Existing shards stay when the limit is lowered.
 */
final class ShardLimit {

  private ShardLimit() {}

  /** The reason for which these indices can't be added to the open ones, if any. */
  static Optional<ErrorBody> refusal(ClusterState state, Collection<IndexMetadata> added) {
    return refusal(state, added.stream().mapToLong(ShardLimit::copies).sum());
  }

  /** The reason for which this number of copies can't be added, if any. */
  static Optional<ErrorBody> refusal(ClusterState state, long added) {
    long nodes = state.nodes().values().stream().filter(NodeInfo::holdsCopies).count();
    if (nodes == 0 || added <= 0) {
      return Optional.empty();
    }
    long limit = nodes * (long) ClusterSettings.number(state, ClusterSettings.MAX_SHARDS_PER_NODE);
    long present =
        state.indices().values().stream()
            .filter(index -> !index.closed())
            .mapToLong(ShardLimit::copies)
            .sum();
    return present + added <= limit
        ? Optional.empty()
        : Optional.of(
            ErrorBody.of(
                400,
                "validation_exception",
                "Validation Failed: 1: this action would add ["
                    + added
                    + "] total shards, but this cluster currently has ["
                    + present
                    + "]/["
                    + limit
                    + "] maximum shards open;"));
  }

  static long copies(IndexMetadata index) {
    return index.numberOfShards()
        * (1L + index.numberOfReplicas() + index.numberOfSearchReplicas());
  }
}
