package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import java.util.OptionalLong;

/**
 * Decides how long a copy whose node left stays assigned to that node.
 *
 * <pre>
 *   another copy is active, the log is complete,    index.unassigned.node_left.delayed_timeout
 *   or the copy is search-only
 *   an active follower                              also index.log.retention.grace: its leader has
 *                                                   the content, but copying it again is expensive
 *   else                                            without limit: the folder may be the only one
 *                                                   with operations that the log no longer has
 * </pre>
 *
 * Whether the log is complete is decided by {@link LogCompleteness}. Pure functions.
 */
public final class NodeReturn {

  private NodeReturn() {}

  /** The time since the node left in milliseconds; empty for no limit. */
  public static OptionalLong awaitedMillis(
      ClusterState state, IndexMetadata index, ShardRouting shard, CopyRouting copy) {
    long delayMillis = IndexSettings.delayedTimeoutMillis(index.settings());
    if (copy.searchOnly()
        || LogCompleteness.isCertain(index, shard)
        || shard.writeCopies().stream().anyMatch(state::active)) {
      return OptionalLong.of(delayMillis);
    }
    return isActiveFollower(index)
        ? OptionalLong.of(
            Math.max(delayMillis, IndexSettings.logRetention(index.settings()).graceMillis()))
        : OptionalLong.empty();
  }

  /** A paused follower is not copied again. */
  private static boolean isActiveFollower(IndexMetadata index) {
    FollowRelation follow = index.follow();
    return follow != null && !follow.paused();
  }
}
