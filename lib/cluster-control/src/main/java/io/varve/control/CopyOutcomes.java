package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.control.allocation.FailedPlaces;
import io.varve.control.allocation.Reconciler;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Failures and successes of copies as the leader's events tell them, for the choice of their next
 * places. Not thread-safe.
 */
final class CopyOutcomes {

  private final FailedPlaces places = new FailedPlaces();

  /** {@code state} is that before the events. */
  void learn(ClusterState state, List<ClusterEvent> events, long nowMillis) {
    for (ClusterEvent event : events) {
      switch (event) {
        case ClusterEvent.CopyUnassigned e ->
            nodeOf(state, e.shard(), e.copyId())
                .ifPresent(node -> places.failed(e.shard(), node, nowMillis));
        case ClusterEvent.CopyStarted e ->
            nodeOf(state, e.shard(), e.copyId()).ifPresent(node -> places.started(e.shard(), node));
        default -> {}
      }
    }
  }

  private static Optional<String> nodeOf(ClusterState state, ShardId shard, String copyId) {
    return state.shard(shard).flatMap(s -> s.copy(copyId)).map(c -> c.nodeId());
  }

  /** Where a copy is not to be built now. */
  Set<Reconciler.Place> refused(ClusterState state, long nowMillis) {
    return places.refused(state, nowMillis);
  }

  /** All places are tried again. */
  void forget() {
    places.clear();
  }
}
