package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.FolderPosition;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a follower must be replaced because one of its shards can't be recovered in this
 * cluster. The leader still has the content, so a successor copies it, as after a loss of history.
 *
 * <pre>
 *   the index follows
 *   the shard's log lacks its first operations    it began with the leader's segments, or was
 *                                                 truncated
 *   the log can't be replayed from the folder     it has no commit, or one before the log's start
 *   the segment store has nothing from which the log can be replayed
 *   no other copy may continue                    none is on a node, or each of them answered that
 *                                                 it can't, or no primary of the shard was ever
 *                                                 started: nothing was published
 *   the follower is not paused
 * </pre>
 *
 * All of these conditions must hold. The answer of another copy is interpreted as follows:
 *
 * <pre>
 *   its folder is empty                           it can't continue
 *   the log lacks the records that follow its     it can't continue
 *   content
 *   it is search-only, and ends before the        it can't continue: it is never promoted, and only
 *   newest published manifest                     the newest manifest is copied
 *   else, or no answer                            it may continue: the primary copies the newest
 *                                                 manifest from it, or it starts with what it
 *                                                 holds, is promoted and replays the log
 * </pre>
 *
 * No I/O.
 */
public final class LostShard {

  /**
   * The content that a primary found when it could not be recovered.
   *
   * @param storeHasIt whether the segment store has content from which the log can be replayed
   * @param folderHasIt whether the log can be replayed from the last commit of the folder
   * @param logStartOffset the first offset of the shard's log
   * @param publishedSeqNo the newest published manifest holds all operations before it; 0 if there
   *     is none
   * @param folders what the folders of other copies hold, by the ids of those that answered
   */
  public record Found(
      boolean storeHasIt,
      boolean folderHasIt,
      long logStartOffset,
      long publishedSeqNo,
      Map<String, FolderPosition> folders) {

    public Found {
      folders = Map.copyOf(folders);
    }
  }

  /** The decision. */
  public sealed interface Outcome {

    /** The shard does not belong to a follower, or another source has its content. */
    record NotLost() implements Outcome {}

    /** The shard is not lost while one of these copies may continue. */
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
            .filter(copy -> mayContinue(copy, found))
            .toList();
    if (!holders.isEmpty()) {
      return new Outcome.MayBeHeld(holders);
    }
    return follow.paused() ? new Outcome.Paused() : new Outcome.Lost(index, follow.leaderUuid());
  }

  private static boolean mayContinue(CopyRouting copy, Found found) {
    FolderPosition folder = found.folders().get(copy.copyId());
    if (folder == null) {
      return true;
    }
    return folder.held()
        && folder.replayable()
        && (!copy.searchOnly() || folder.nextSeqNo() >= found.publishedSeqNo());
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
