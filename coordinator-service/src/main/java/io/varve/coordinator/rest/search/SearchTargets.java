package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rpc.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shards that a search goes to. */
final class SearchTargets {

  private SearchTargets() {}

  static List<IndexMetadata> indices(
      ClusterState state, @Nullable String expression, IndexOptions options) {
    List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
    for (IndexMetadata index : indices) {
      IndexBlocks.refusal(index, IndexBlocks.Action.READ)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
    return indices;
  }

  /** {@code routing} values, between commas, leave only the shards that they lead to. */
  static List<SearchRouter.Target> of(List<IndexMetadata> indices, @Nullable String routing) {
    List<SearchRouter.Target> targets = new ArrayList<>();
    for (IndexMetadata index : indices) {
      Set<Integer> wanted = new LinkedHashSet<>();
      if (routing != null) {
        for (String value : routing.split(",", -1)) {
          wanted.add(RoutingHash.shardOf(index, value, value));
        }
      }
      for (ShardRouting shard : index.shards()) {
        if (routing == null || wanted.contains(shard.shard().number())) {
          targets.add(new SearchRouter.Target(index, shard));
        }
      }
    }
    return targets;
  }
}
