package io.varve.coordinator.follow;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteSettings;
import io.varve.events.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster that has leader indices of active followers, or indices that active auto-follow
 * patterns may match.
 *
 * @param remote how it is reached
 * @param leaderIndices the names of the leader indices of active followers
 */
record FollowedCluster(RemoteSettings remote, List<String> leaderIndices) {

  FollowedCluster {
    leaderIndices = List.copyOf(leaderIndices);
  }

  /** Its name in our settings. */
  String alias() {
    return remote.alias();
  }

  /** Whether a tail opened for the other value also serves this one. */
  boolean isReachedLike(FollowedCluster other) {
    return remote.equals(other.remote);
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
    Map<String, FollowedCluster> followed = new TreeMap<>();
    leaders.forEach((alias, indices) ->
        RemoteSettings.of(state, alias)
            .ifPresent(remote -> followed.put(alias, new FollowedCluster(remote, indices))));
    return followed;
  }
}
