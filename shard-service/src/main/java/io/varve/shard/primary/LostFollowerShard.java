package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.FolderPosition;
import io.varve.shard.primary.LostShard.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the replacement of a follower one of whose shards is lost, as {@link LostShard} decides
 * in the state at the end of the cluster log: an older state may lack a copy that has the content.
 * The failed recovery is repeated in any case; its error names the copies for which it waits.
 */
final class LostFollowerShard {

  private static final Logger LOG = LoggerFactory.getLogger(LostFollowerShard.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final CopyContext context;
  private final OtherFolders others;

  LostFollowerShard(CopyContext context) {
    this.context = context;
    this.others = new OtherFolders(context);
  }

  /**
   * The failure of a recovery, with the next step if the shard belongs to a follower.
   *
   * @param content the content that the recovery compared; null if it failed before that
   */
  IOException explained(IOException failure, RecoverySchedule.@Nullable Content content)
      throws LogException, InterruptedException {
    ClusterView cluster = context.node().cluster();
    if (content == null
        || follow(cluster.current()) == null
        || !context.node().awaitEndOfClusterLog(TIMEOUT)) {
      return failure;
    }
    ClusterState state = cluster.current();
    LostShard.Found found =
        new LostShard.Found(
            content.stored() != null,
            !content.logLacksRecords(),
            content.logStart(),
            publishedSeqNo(),
            folders(state));
    Outcome outcome = LostShard.decide(state, context.shard(), context.copyId(), found);
    String next = next(outcome, failure);
    return next.isEmpty() ? failure : new IOException(failure.getMessage() + "; " + next, failure);
  }

  private @Nullable FollowRelation follow(ClusterState state) {
    return state.index(context.shard().indexUuid()).map(IndexMetadata::follow).orElse(null);
  }

  private long publishedSeqNo() throws LogException {
    PartitionLog manifests = context.manifests();
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return newest == null ? 0 : newest.nextSeqNo();
  }

  private Map<String, FolderPosition> folders(ClusterState state) throws InterruptedException {
    List<CopyRouting> copies =
        state
            .shard(context.shard())
            .map((ShardRouting shard) -> LostShard.others(shard, context.copyId()))
            .orElse(List.of());
    return others.positions(state, copies);
  }

  private String next(Outcome outcome, IOException failure) {
    return switch (outcome) {
      case Outcome.NotLost _ -> "";
      case Outcome.MayBeHeld(List<CopyRouting> copies) ->
          "waits for the copies that may have its content: "
              + copies.stream()
                  .map(copy -> copy.copyId() + " on node " + copy.nodeId())
                  .collect(Collectors.joining(", "));
      case Outcome.Paused _ ->
          "no copy has its content; the leader is copied again once the follower is resumed";
      case Outcome.Lost lost -> replace(lost, failure);
    };
  }

  private String replace(Outcome.Lost lost, IOException failure) {
    IndexMetadata follower = lost.follower();
    String reason = context.shard() + " lost its only copy: " + failure.getMessage();
    try {
      long version =
          context
              .node()
              .leader()
              .historyLost(
                  new ClusterCalls.LostHistory(
                      follower.uuid(),
                      lost.leaderUuid(),
                      follower.settings(),
                      follower.mapping(),
                      reason),
                  TIMEOUT);
      LOG.warn("{}; the index is replaced as of version {} of the state", reason, version);
      return "no copy has its content; the leader is copied again by a successor of the index";
    } catch (ApiException e) {
      // Also the answer if the index is being replaced already.
      LOG.info("{}; the index is not replaced now: {}", reason, e.getMessage());
      return "no copy has its content; " + e.getMessage();
    }
  }
}
