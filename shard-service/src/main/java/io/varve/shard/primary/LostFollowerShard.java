package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.host.CopyContext;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the replacement of a follower one of whose shards is lost, as {@link LostShard} decides
 * in the state at the end of the cluster log: an older one may lack a copy that has the content.
 * The failed recovery is repeated in any case.
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
  void recoveryFailed(IOException reason) throws IOException, LogException, InterruptedException {
    ClusterView cluster = context.node().cluster();
    if (follow(cluster.current()) == null || !context.node().awaitEndOfClusterLog(TIMEOUT)) {
      return;
    }
    ClusterState state = cluster.current();
    FollowRelation follow = follow(state);
    if (follow == null) {
      return;
    }
    LostShard.Found found =
        new LostShard.Found(
            hasStore,
            !ClosedSegments.checkpoint(folder).equals(Checkpoint.NONE),
            context.operations().startOffset());
    Optional<IndexMetadata> replaced =
        LostShard.follower(state, context.shard(), context.copyId(), found);
    if (replaced.isPresent()) {
      request(replaced.get(), follow, reason);
    }
  }

  private @Nullable FollowRelation follow(ClusterState state) {
    return state.index(context.shard().indexUuid()).map(IndexMetadata::follow).orElse(null);
  }

  private void request(IndexMetadata index, FollowRelation follow, IOException reason) {
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
}
