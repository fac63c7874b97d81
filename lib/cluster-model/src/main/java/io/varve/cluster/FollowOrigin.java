package io.varve.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * An index from which a follower's operations come: its leader index, or an index that the leader
 * index follows, directly or through others.
 */
public record FollowOrigin(String clusterUuid, String indexUuid) {

  /** The origins of a follower of this index, the nearest first. */
  public static List<FollowOrigin> of(String clusterUuid, IndexMetadata leader) {
    List<FollowOrigin> origins = new ArrayList<>();
    origins.add(new FollowOrigin(clusterUuid, leader.uuid()));
    FollowRelation follow = leader.follow();
    if (follow != null && follow.origins() != null) {
      origins.addAll(follow.origins());
    }
    return origins;
  }
}
