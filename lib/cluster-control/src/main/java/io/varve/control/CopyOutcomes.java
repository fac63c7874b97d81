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
 * Tracks failures and starts of copies from the leader's events, for the allocation decisions that
 * follow. Not thread-safe.
 */
final class CopyOutcomes {

  private final FailedPlaces places = new FailedPlaces();

  /**
   * @param state the state before the events
   */
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

  /** The places to which no copy may be allocated now. */
  Set<Reconciler.Place> refused(ClusterState state, long nowMillis) {
    return places.refused(state, nowMillis);
  }

  /** Allows all places again. */
  void forget() {
    places.clear();
  }
}
