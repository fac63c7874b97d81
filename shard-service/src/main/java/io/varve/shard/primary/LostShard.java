package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a follower must be replaced because one of its shards can't be recovered in this
 * cluster. The leader still has its content, so a successor copies it as after a loss of history.
 *
 * <pre>
 *   the index follows
 *   the shard's log lacks its first operations    it began with the leader's segments, or was
 *                                                 truncated
 *   the log can't be replayed from the folder     it has no commit, or one before the log's start
 *   the segment store has nothing from which the log can be replayed
 *   no other copy may have the content            none is on a node, or each of them answered that
 *                                                 it lacks what was published, or no primary of the
 *                                                 shard was ever started: nothing was published
 *   the follower is not paused
 * </pre>
 *
 * All must hold. A copy that does not answer may have the content. No I/O.
 */
public final class LostShard {

  /**
   * What a primary found when it could not be recovered.
   *
   * @param storeHasIt whether the segment store has something from which the log can be replayed
   * @param folderHasIt whether the log can be replayed from the last commit of the folder
   * @param logStartOffset the first offset of the shard's log
   * @param lacking ids of the other copies that answered that they lack what was published
   */
  public record Found(
      boolean storeHasIt, boolean folderHasIt, long logStartOffset, Set<String> lacking) {

    public Found {
      lacking = Set.copyOf(lacking);
    }
  }

  /** The decision. */
  public sealed interface Outcome {

    /** The shard is no follower's, or another source has its content. */
    record NotLost() implements Outcome {}

    /** The shard is not lost while one of these copies may have the content. */
    record MayBeHeld(List<CopyRouting> copies) implements Outcome {

      public MayBeHeld {
        copies = List.copyOf(copies);
      }
    }

    /** The follower is replaced once it is resumed. */
    record Paused() implements Outcome {}

    /** This follower must be replaced by an index that copies the leader with this uuid. */
    record Lost(IndexMetadata follower, String leaderUuid) implements Outcome {}
  }

  private LostShard() {}

  /**
   * @param copyId of the primary that could not be recovered
   */
  public static Outcome decide(ClusterState state, ShardId shard, String copyId, Found found) {
    IndexMetadata index = state.index(shard.indexUuid()).orElse(null);
    FollowRelation follow = index == null ? null : index.follow();
    if (index == null || follow == null || !state.has(Feature.FOLLOWER_BOOTSTRAP)) {
      return new Outcome.NotLost();
    }
    if (found.storeHasIt() || found.folderHasIt() || found.logStartOffset() == 0) {
      return new Outcome.NotLost();
    }
    List<CopyRouting> holders =
        others(index.shard(shard.number()), copyId).stream()
            .filter(copy -> !found.lacking().contains(copy.copyId()))
            .toList();
    if (!holders.isEmpty()) {
      return new Outcome.MayBeHeld(holders);
    }
    return follow.paused() ? new Outcome.Paused() : new Outcome.Lost(index, follow.leaderUuid());
  }

  /** The other copies that may have the content. */
  public static List<CopyRouting> others(ShardRouting shard, String copyId) {
    return shard.neverStarted()
        ? List.of()
        : shard.everywhere().stream()
            .filter(copy -> !copy.copyId().equals(copyId) && copy.nodeId() != null)
            .toList();
  }
}
