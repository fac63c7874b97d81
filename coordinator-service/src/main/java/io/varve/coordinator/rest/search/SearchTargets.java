package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.rpc.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shards that a search goes to. */
final class SearchTargets {

  private SearchTargets() {}

  /**
   * What the expression reaches, through its aliases too.
   *
   * @param routing values between commas, null for none
   */
  static List<SearchIndex> indices(
      ClusterState state,
      @Nullable String expression,
      IndexOptions options,
      @Nullable String routing) {
    List<SearchIndex> indices = IndexResolver.search(state, expression, options, routing);
    for (SearchIndex found : indices) {
      IndexBlocks.refusal(found.index(), IndexBlocks.Action.READ)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
    return indices;
  }

  /** The shards that routing leaves, each with the filter of the aliases that led to it. */
  static List<SearchRouter.Target> of(List<SearchIndex> indices) {
    List<SearchRouter.Target> targets = new ArrayList<>();
    for (SearchIndex found : indices) {
      IndexMetadata index = found.index();
      Set<String> routing = found.routing();
      Set<Integer> wanted = new LinkedHashSet<>();
      if (routing != null) {
        routing.forEach(value -> wanted.add(RoutingHash.shardOf(index, value, value)));
      }
      for (ShardRouting shard : index.shards()) {
        if (routing == null || wanted.contains(shard.shard().number())) {
          targets.add(new SearchRouter.Target(index, shard, found.filter()));
        }
      }
    }
    return targets;
  }
}
