package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Replacement;
import io.varve.events.Feature;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a former leader index becomes a follower of the index that has been promoted; see
 * {@link Failback}.
 *
 * <pre>
 *   former, closed --FailBack--> former, and successor    hidden; its primaries fence the former
 *                                                         index's log and keep the operations before
 *                                                         the forks
 *                  --all primaries of the successor are started--> successor    under the former
 *                                                                  index's name; the former index
 *                                                                  is deleted in the same event
 * </pre>
 *
 * <p>The former index must stay closed, because an operation that it accepts after the fence would
 * be lost. Failback is cancelled by deleting the successor. Pure functions of the state.
 */
final class FailbackDecisions {

  static final String PREFIX = ".failback-";

  private FailbackDecisions() {}

  /** Throws an {@link ApiException} if the index can't fail back. */
  static FollowerReplacement.Successor successor(
      ClusterState state, ClusterCommand.FailBack request) {
    IndexMetadata former = IndexDecisions.named(state, List.of(request.index())).iterator().next();
    IndexDecisions.refuse(refusal(state, former, request).map(reason -> refused(former, reason)));
    ClusterCommand.Follow leader = request.follow();
    FollowRelation follow =
        new FollowRelation(
            leader.remoteCluster(),
            leader.leaderIndex(),
            leader.leaderUuid(),
            null,
            0,
            leader.parameters(),
            false,
            leader.origins());
    return new FollowerReplacement.Successor(
        new ClusterCommand.CreateIndex(
            FollowerReplacement.name(PREFIX, former.name()),
            FollowerReplacement.settings(former, request.leaderSettings()),
            request.leaderMapping(),
            leader),
        Replacement.failback(follow, new Failback(former.uuid(), request.fork().shards())));
  }

  private static Optional<String> refusal(
      ClusterState state, IndexMetadata former, ClusterCommand.FailBack request) {
    Fork fork = request.fork();
    String promoted = request.follow().leaderIndex();
    if (!state.has(Feature.FAILBACK)) {
      return Optional.of("the feature level of the cluster must be raised first");
    }
    if (former.follow() != null) {
      return Optional.of("it is a follower index");
    }
    if (!fork.leaderUuid().equals(former.uuid())) {
      return Optional.of("[" + promoted + "] did not follow it");
    }
    if (!former.closed()) {
      return Optional.of("it has not been closed");
    }
    if (FollowerReplacement.successorOf(state, former).isPresent()) {
      return Optional.of("it already fails back");
    }
    return IntStream.range(0, former.numberOfShards())
        .filter(shard -> !fork.shards().containsKey(shard))
        .mapToObj(
            shard -> "[" + promoted + "] has not recorded where its shard [" + shard + "] left it")
        .findFirst();
  }

  private static ErrorBody refused(IndexMetadata former, String reason) {
    return ErrorBody.illegalArgument(
        "index [" + former.name() + "] cannot fail back, because " + reason);
  }

  /** The reason not to open a former index, if there is one. */
  static Optional<ErrorBody> refusalToOpen(ClusterState state, IndexMetadata index) {
    return FollowerReplacement.successorOf(state, index)
        .flatMap(successor -> Optional.ofNullable(successor.follow()))
        .flatMap(FollowRelation::failback)
        .map(_ ->
            ErrorBody.illegalArgument(
                "index ["
                    + index.name()
                    + "] fails back and cannot be opened; delete ["
                    + FollowerReplacement.name(PREFIX, index.name())
                    + "] to cancel the failback"));
  }

  /** The event that ends the failback; empty while it is not due. */
  static Optional<ClusterEvent> event(
      ClusterState state, @Nullable IndexMetadata former, IndexMetadata successor) {
    if (former == null) {
      return Optional.of(new ClusterEvent.IndexDeleted(successor.uuid()));
    }
    return former.closed() && FollowerReplacement.isStarted(state, successor)
        ? Optional.of(
            ClusterEvent.together(
                List.of(
                    new ClusterEvent.FollowerReplaced(former.uuid(), successor.uuid()),
                    new ClusterEvent.IndexDeleted(former.uuid()))))
        : Optional.empty();
  }
}
