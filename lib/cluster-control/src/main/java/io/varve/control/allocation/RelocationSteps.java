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
 * Decides the next step of a relocation.
 *
 * <pre>
 *   building --target started--> finished                      a replica
 *   building --target started--> handing over --target started in its term--> finished   a primary
 *   either   --target's node left, or it failed--> cancelled: the copy stays
 * </pre>
 *
 * A replica whose node left is replaced by its target, started or not, since the target has more
 * data than a new copy. A primary whose node left is replaced by a target that has started;
 * otherwise the relocation is cancelled, so that a replica can be promoted.
 *
 * <p>INVARIANT: the primary is removed only after its target has started as the primary.
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

  /**
   * A primary whose hand-over is cancelled continues under a new term, since the target's term was
   * assigned.
   */
  static RelocationCancelled cancelled(ShardRouting shard, Relocation moving, String reason) {
    return new RelocationCancelled(
        shard.shard(),
        moving.target().copyId(),
        moving.handsOver() ? shard.newestTerm() + 1 : 0,
        reason);
  }
}
