package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reroute;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides the lifecycle of a follower index; {@link FollowRelation} lists the states, and {@link
 * FollowerIndex} checks the leader index.
 *
 * <p>After an unfollow the index is a regular index; it is still closed and has all operations that
 * were pulled. When it is opened, each primary takes its next term, so no operation of the leader
 * follows the first own write. The fence of that term is the shard's fork ({@link Fork}); a lease
 * retains the index's own log from there on. {@link #promote} does all of that in one event, so a
 * coordinator that fails leaves no index closed. Error types and texts are Elasticsearch's.
 */
final class FollowDecisions {

  private FollowDecisions() {}

  static Decision pause(ClusterState state, ClusterCommand.PauseFollow request) {
    IndexMetadata index = named(state, request.index());
    FollowRelation follow = follow(index);
    if (follow.paused()) {
      throw illegalArgument("no shard follow tasks for [" + index.name() + "]");
    }
    return Decision.of(new ClusterEvent.FollowChanged(index.uuid(), follow.asPaused()));
  }

  /** Ignored if the index is paused, or no longer follows that leader index. */
  static Decision stop(ClusterState state, ClusterCommand.StopFollower request) {
    return state
        .index(request.indexUuid())
        .map(IndexMetadata::follow)
        .filter(follow -> !follow.paused() && follow.leaderUuid().equals(request.leaderUuid()))
        .map(follow ->
            Decision.of(
                new ClusterEvent.FollowChanged(
                    request.indexUuid(), follow.asStopped(request.reason()))))
        .orElseGet(Decision::nothing);
  }

  /**
   * Only an operation after the last skipped one can be skipped: the operations before it are in
   * the follower's log.
   */
  static Decision skip(ClusterState state, ClusterCommand.SkipOperation request) {
    IndexMetadata index = named(state, request.index());
    FollowRelation follow = follow(index);
    if (follow.paused()) {
      throw illegalArgument("no shard follow tasks for [" + index.name() + "]");
    }
    int shard = request.shard();
    if (shard < 0 || shard >= index.numberOfShards()) {
      throw illegalArgument("index [" + index.name() + "] has no shard [" + shard + "]");
    }
    FollowStatus.SkippedOperations last = follow.currentStatus().skipped().get(shard);
    if (last != null && request.leaderOffset() <= last.leaderOffset()) {
      throw illegalArgument(
          "shard [%d] of [%s] has skipped the operation at offset [%d] of the leader's log already"
              .formatted(shard, index.name(), last.leaderOffset()));
    }
    return Decision.of(
        new ClusterEvent.OperationSkipped(
            new ShardId(index.uuid(), shard), request.leaderOffset(), request.seqNo()));
  }

  static Decision resume(ClusterState state, ClusterCommand.ResumeFollow request) {
    IndexMetadata index = named(state, request.index());
    FollowRelation follow = index.follow();
    if (follow == null) {
      throw illegalArgument("follow index [" + index.name() + "] does not have ccr metadata");
    }
    if (!follow.paused()) {
      throw new ApiException(
          400,
          "resource_already_exists_exception",
          "shard follow tasks for [" + index.name() + "] already exist");
    }
    if (index.closed()) {
      throw illegalArgument(FollowerIndex.MUST_BE_OPEN);
    }
    return Decision.of(
        new ClusterEvent.FollowChanged(index.uuid(), follow.resumed(request.parameters())));
  }

  static Decision unfollow(ClusterState state, ClusterCommand.Unfollow request) {
    IndexMetadata index = named(state, request.index());
    FollowRelation follow = follow(index);
    if (!index.closed()) {
      throw notConverted(index, "closed");
    }
    if (!follow.paused()) {
      throw notConverted(index, "paused");
    }
    return Decision.of(new ClusterEvent.FollowChanged(index.uuid(), null, Fork.of(follow)));
  }

  /**
   * @param ids new ids for copies
   */
  static Decision promote(
      ClusterState state, ClusterCommand.Promote request, Supplier<String> ids) {
    IndexMetadata index = named(state, request.index());
    List<ClusterEvent> events = new ArrayList<>();
    events.add(new ClusterEvent.FollowChanged(index.uuid(), null, Fork.of(follow(index))));
    if (index.closed()) {
      events.add(new ClusterEvent.IndexOpened(index.uuid()));
    } else {
      index.shards().forEach(shard -> nextTerm(state, shard, events));
      events.addAll(FollowerReopening.remaining(index, ids));
    }
    return Decision.of(ClusterEvent.together(events));
  }

  /** Relocations are cancelled: the fork is recorded with the start of the shard's own primary. */
  private static void nextTerm(ClusterState state, ShardRouting shard, List<ClusterEvent> events) {
    ClusterState now = state;
    for (Relocation moving : shard.relocations()) {
      ShardRouting routing = now.shard(shard.shard()).orElse(shard);
      ClusterEvent cancelled = Reroute.cancelled(routing, moving, "the index is promoted");
      events.add(cancelled);
      now = now.apply(cancelled);
    }
    ShardRouting routing = now.shard(shard.shard()).orElse(shard);
    CopyRouting primary = routing.primary();
    if (primary.nodeId() != null) {
      events.add(
          new ClusterEvent.PrimaryAssigned(
              shard.shard(), primary.copyId(), primary.nodeId(), routing.newestTerm() + 1));
    }
  }

  private static IndexMetadata named(ClusterState state, String name) {
    return IndexDecisions.named(state, List.of(name)).iterator().next();
  }

  private static FollowRelation follow(IndexMetadata index) {
    FollowRelation follow = index.follow();
    if (follow == null) {
      throw illegalArgument("index [" + index.name() + "] is not a follower index");
    }
    return follow;
  }

  private static ApiException notConverted(IndexMetadata index, String lacking) {
    return illegalArgument(
        "cannot convert the follower index ["
            + index.name()
            + "] to a non-follower, because it has not been "
            + lacking);
  }

  private static ApiException illegalArgument(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
