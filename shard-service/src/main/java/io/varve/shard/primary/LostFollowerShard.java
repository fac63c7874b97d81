package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.events.Feature;
import io.varve.host.CopyContext;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the replacement of a follower one of whose shards can't be recovered in this cluster.
 * The leader still has its content, so a successor copies it as after a loss of history.
 *
 * <pre>
 *   the folder has no commit
 *   the shard's log lacks its first operations    it began with the leader's segments, or was
 *                                                 truncated
 *   no other copy of the shard is on a node
 *   the index has no segment store
 * </pre>
 *
 * All four must hold; the failed recovery is repeated in any case.
 */
final class LostFollowerShard {

  private static final Logger LOG = LoggerFactory.getLogger(LostFollowerShard.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final CopyContext context;
  private final Path folder;
  private final boolean hasStore;

  LostFollowerShard(CopyContext context, boolean hasStore) {
    this.context = context;
    this.folder = context.folder().resolve("index");
    this.hasStore = hasStore;
  }

  /** The recovery failed for that reason. */
  void recoveryFailed(IOException reason) throws IOException, LogException {
    ClusterState state = context.node().cluster().current();
    IndexMetadata index = state.index(context.shard().indexUuid()).orElse(null);
    FollowRelation follow = index == null ? null : index.follow();
    if (index == null
        || follow == null
        || follow.paused()
        || hasStore
        || !state.has(Feature.FOLLOWER_BOOTSTRAP)
        || hasOtherCopies(index.shard(context.shard().number()))
        || context.operations().startOffset() == 0
        || !ClosedSegments.checkpoint(folder).equals(Checkpoint.NONE)) {
      return;
    }
    String lost = context.shard() + " lost its only copy: " + reason.getMessage();
    try {
      long version =
          context
              .node()
              .leader()
              .historyLost(
                  new ClusterCalls.LostHistory(
                      index.uuid(), follow.leaderUuid(), index.settings(), index.mapping(), lost),
                  TIMEOUT);
      LOG.warn("{}; the index is replaced as of version {} of the state", lost, version);
    } catch (ApiException e) {
      // Also the answer if the index is being replaced already.
      LOG.info("{}; the index is not replaced now: {}", lost, e.getMessage());
    }
  }

  private boolean hasOtherCopies(ShardRouting shard) {
    return shard.everywhere().stream()
        .anyMatch(copy -> !copy.copyId().equals(context.copyId()) && copy.nodeId() != null);
  }
}
