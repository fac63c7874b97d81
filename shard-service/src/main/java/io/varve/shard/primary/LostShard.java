package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import java.util.Optional;

/**
 * Decides whether a follower must be replaced because one of its shards can't be recovered in this
 * cluster. The leader still has its content, so a successor copies it as after a loss of history.
 *
 * <pre>
 *   the index follows, and is not paused
 *   the folder has no commit
 *   the shard's log lacks its first operations    it began with the leader's segments, or was
 *                                                 truncated
 *   no other copy has it                          none is on a node, or no primary of the shard was
 *                                                 ever started: nothing was published, so the
 *                                                 others have nothing either
 *   the index has no segment store
 * </pre>
 *
 * All must hold. No I/O.
 */
public final class LostShard {

  /**
   * What a primary found when it could not be recovered.
   *
   * @param hasStore whether the index has a segment store
   * @param hasCommit whether the folder has a commit
   * @param logStartOffset the first offset of the shard's log
   */
  public record Found(boolean hasStore, boolean hasCommit, long logStartOffset) {}

  private LostShard() {}

  /**
   * The follower to replace, if the shard is lost.
   *
   * @param copyId of the primary that could not be recovered
   */
  public static Optional<IndexMetadata> follower(
      ClusterState state, ShardId shard, String copyId, Found found) {
    boolean isLost = !found.hasStore() && !found.hasCommit() && found.logStartOffset() > 0;
    return isLost && state.has(Feature.FOLLOWER_BOOTSTRAP)
        ? state
            .index(shard.indexUuid())
            .filter(LostShard::follows)
            .filter(index -> !isElsewhere(index.shard(shard.number()), copyId))
        : Optional.empty();
  }

  private static boolean follows(IndexMetadata index) {
    FollowRelation follow = index.follow();
    return follow != null && !follow.paused();
  }

  private static boolean isElsewhere(ShardRouting shard, String copyId) {
    return !shard.neverStarted()
        && shard.everywhere().stream()
            .anyMatch(copy -> !copy.copyId().equals(copyId) && copy.nodeId() != null);
  }
}
