package io.varve.coordinator.follow;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster that has leader indices of active followers, or indices that active auto-follow
 * patterns may match.
 *
 * @param alias its name in our settings
 * @param seeds REST addresses of its coordinators
 * @param leaderIndices the names of the leader indices of active followers
 */
record FollowedCluster(String alias, List<String> seeds, List<String> leaderIndices) {

  FollowedCluster {
    seeds = List.copyOf(seeds);
    leaderIndices = List.copyOf(leaderIndices);
  }

  /** Whether a tail opened for the other value also serves this one. */
  boolean isReachedLike(FollowedCluster other) {
    return alias.equals(other.alias) && seeds.equals(other.seeds);
  }

  /**
   * All followed clusters, by alias; none until all members support the commands of {@link
   * Feature}.
   */
  static Map<String, FollowedCluster> of(ClusterState state) {
    Map<String, List<String>> leaders = new TreeMap<>();
    if (state.has(Feature.FOLLOWER_LIFECYCLE)) {
      for (IndexMetadata index : state.indices().values()) {
        FollowRelation follow = index.follow();
        if (follow != null && !follow.paused()) {
          leaders
              .computeIfAbsent(follow.remoteCluster(), alias -> new ArrayList<>())
              .add(follow.leaderIndex());
        }
      }
    }
    for (AutoFollowPattern pattern : state.autoFollow().values()) {
      if (pattern.active()) {
        leaders.putIfAbsent(pattern.remoteCluster(), List.of());
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
