package io.varve.coordinator.follow;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster that has leader indices of active followers.
 *
 * @param alias its name in our settings
 * @param seeds REST addresses of its coordinators
 * @param leaderIndices the names of the leader indices, at least one
 */
record FollowedCluster(String alias, List<String> seeds, List<String> leaderIndices) {

  FollowedCluster {
    seeds = List.copyOf(seeds);
    leaderIndices = List.copyOf(leaderIndices);
  }

  /** Whether a tail of the other one serves this one too. */
  boolean isReachedLike(FollowedCluster other) {
    return alias.equals(other.alias) && seeds.equals(other.seeds);
  }

  /** All of them, by alias; none until all members know the commands of {@link Feature}. */
  static Map<String, FollowedCluster> of(ClusterState state) {
    Map<String, List<String>> leaders = new TreeMap<>();
    if (state.has(Feature.FOLLOWER_LIFECYCLE)) {
      for (IndexMetadata index : state.indices().values()) {
        IndexMetadata.Follow follow = index.follow();
        if (follow != null && !follow.paused()) {
          leaders
              .computeIfAbsent(follow.remoteCluster(), alias -> new ArrayList<>())
              .add(follow.leaderIndex());
        }
      }
    }
    Map<String, List<String>> seeds = ClusterSettings.remoteSeeds(state);
    Map<String, FollowedCluster> followed = new TreeMap<>();
    leaders.forEach((alias, indices) -> {
      if (seeds.containsKey(alias)) {
        followed.put(alias, new FollowedCluster(alias, seeds.get(alias), indices));
      }
    });
    return followed;
  }
}
