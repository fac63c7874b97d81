package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.rpc.ApiException;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes the shards that a search has to ask. */
final class SearchTargets {

  private SearchTargets() {}

  /** Returns the indices that the expression resolves to, with the aliases that resolve to them. */
  static List<SearchIndex> indices(ClusterState state, SearchOptions.Where where) {
    List<SearchIndex> indices =
        IndexResolver.search(state, where.expression(), where.options(), where.routing());
    for (SearchIndex found : indices) {
      IndexBlocks.refusal(found.index(), IndexBlocks.Action.READ)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
    return indices;
  }

  /**
   * Returns the shards that match routing and preference, each with the filter of its aliases. A
   * slice selects some of these shards, or a part of each.
   */
  static List<SearchRouter.Target> of(
      List<SearchIndex> indices, ShardPreference preference, @Nullable Slice slice) {
    List<SearchRouter.Target> targets = new ArrayList<>();
    for (SearchIndex found : indices) {
      List<ShardRouting> shards = shards(found, preference);
      for (int i = 0; i < shards.size(); i++) {
        SearchRouter.Target target =
            new SearchRouter.Target(
                found.index(), shards.get(i), targets.size(), null, null, found.filter());
        Slice.Share share =
            slice == null ? new Slice.Share.Everything() : slice.of(i, shards.size());
        switch (share) {
          case Slice.Share.Nothing _ -> {
            // The shard belongs to another slice.
          }
          case Slice.Share.Everything _ -> targets.add(target);
          case Slice.Share.Part part -> targets.add(target.cutTo(part));
        }
      }
    }
    return targets;
  }

  private static List<ShardRouting> shards(SearchIndex found, ShardPreference preference) {
    IndexMetadata index = found.index();
    Set<String> routing = found.routing();
    Set<Integer> wanted = new LinkedHashSet<>();
    if (routing != null) {
      routing.forEach(value -> wanted.add(RoutingHash.shardOf(index, value, value)));
    }
    return index.shards().stream()
        .filter(shard -> routing == null || wanted.contains(shard.shard().number()))
        .filter(shard -> preference.allows(shard.shard().number()))
        .toList();
  }
}
