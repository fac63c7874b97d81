package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexChanges;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The goals of one node in the newest cluster state. Every node gets every state, and most changes
 * concern other nodes, so the goals follow the state index by index. Not thread-safe.
 *
 * <p>INVARIANT: the result is that of {@link PlacedGoals} for all indices of the newest state.
 */
final class FollowedGoals {

  private final NavigableMap<ShardId, Goal> wanted = new TreeMap<>();
  private final NavigableSet<ShardId> closedHere = new TreeSet<>();
  private PlacedGoals placed;
  private ClusterState known = ClusterState.EMPTY;

  FollowedGoals(String nodeId) {
    this.placed = PlacedGoals.of(nodeId);
  }

  /**
   * The process joins with that state: primaries are not opened with the terms that it contains.
   */
  void join(ClusterState state) {
    placed = placed.joined(state);
    wanted.clear();
    closedHere.clear();
    known = ClusterState.EMPTY;
  }

  void follow(ClusterState state) {
    IndexChanges changes = state.changesSince(known);
    changes
        .before()
        .forEach(index -> {
          for (ShardRouting shard : index.shards()) {
            wanted.remove(shard.shard());
            closedHere.remove(shard.shard());
          }
        });
    changes
        .after()
        .forEach(index -> {
          wanted.putAll(placed.in(index));
          closedHere.addAll(placed.closedHere(index));
        });
    known = state;
  }

  /**
   * A snapshot of the copies that the state places here, because the next state may arrive
   * concurrently.
   */
  Map<ShardId, Goal> wanted() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(wanted));
  }

  /** The shards of closed indices that have a copy here. */
  Set<ShardId> closedHere() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(closedHere));
  }

  /** As {@link PlacedGoals#isDeletable} for the newest state. */
  boolean isDeletable(ShardId shard) {
    return placed.isDeletable(known, shard);
  }
}
