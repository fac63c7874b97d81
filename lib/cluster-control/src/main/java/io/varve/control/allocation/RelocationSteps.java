package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterEvent.HandOverStarted;
import io.varve.cluster.ClusterEvent.RelocationCancelled;
import io.varve.cluster.ClusterEvent.RelocationFinished;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import java.util.Optional;

/**
 * The next step of a relocation, if it is time for one.
 *
 * <pre>
 *   building --target started--> finished                      a replica
 *   building --target started--> handing over --target started in its term--> finished   a primary
 *   either   --target's node left, or it failed--> cancelled: the copy stays
 * </pre>
 *
 * A replica whose node is gone is followed by its target, finished or not: it is the better
 * beginning. A primary whose node is gone is followed by a target that has started; one that has
 * not makes way for the promotion of a replica.
 *
 * <p>INVARIANT: the primary is gone only after its target has started as the primary.
 */
final class RelocationSteps {

  private RelocationSteps() {}

  static Optional<ClusterEvent> next(ClusterState state, ShardRouting shard, Relocation moving) {
    CopyRouting copy = shard.copy(moving.copyId()).orElseThrow();
    boolean copyLives = isOnMember(state, copy);
    boolean arrived = moving.target().started();
    String targetId = moving.target().copyId();
    if (!isOnMember(state, moving.target())) {
      return Optional.of(cancelled(shard, moving, "the target's node left"));
    }
    if (!copy.primary() || moving.handsOver()) {
      return arrived || !(copy.primary() || copyLives)
          ? Optional.of(new RelocationFinished(shard.shard(), targetId))
          : Optional.empty();
    }
    if (arrived) {
      return Optional.of(new HandOverStarted(shard.shard(), targetId, shard.newestTerm() + 1));
    }
    return copyLives
        ? Optional.empty()
        : Optional.of(cancelled(shard, moving, "the primary's node left"));
  }

  private static boolean isOnMember(ClusterState state, CopyRouting copy) {
    return copy.nodeId() != null && state.nodes().containsKey(copy.nodeId());
  }

  /** A primary that was to be followed goes on under a term of its own: the target's was given. */
  static RelocationCancelled cancelled(ShardRouting shard, Relocation moving, String reason) {
    return new RelocationCancelled(
        shard.shard(),
        moving.target().copyId(),
        moving.handsOver() ? shard.newestTerm() + 1 : 0,
        reason);
  }
}
