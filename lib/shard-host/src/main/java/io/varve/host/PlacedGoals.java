package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Derives from the cluster state which copies one node has to host and which folders it may delete.
 *
 * <p>The node's former process may have used a primary term that was assigned before this process
 * joined; the leader assigns another term.
 *
 * <p>INVARIANT: a folder is deletable only when its index is deleted, or all write copies of its
 * shard serve and none of its copies is on this node. Until then it may hold the only copy of
 * operations that the log no longer has. An index without writers keeps the folders of its former
 * writers if neither the log nor a segment store has everything.
 *
 * @param termsAtJoin the newest term of each shard when this process joined
 */
record PlacedGoals(String nodeId, Map<ShardId, Long> termsAtJoin) {

  PlacedGoals {
    termsAtJoin = Map.copyOf(termsAtJoin);
  }

  /** Goals for a process that has not joined yet. */
  static PlacedGoals of(String nodeId) {
    return new PlacedGoals(nodeId, Map.of());
  }

  /** Goals for the process from the state with which it joins. */
  PlacedGoals joined(ClusterState state) {
    Map<ShardId, Long> terms = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        terms.put(shard.shard(), shard.newestTerm());
      }
    }
    return new PlacedGoals(nodeId, terms);
  }

  /** The copies of an index that are placed here. */
  Map<ShardId, Goal> in(IndexMetadata index) {
    Map<ShardId, Goal> goals = new HashMap<>();
    if (index.closed()) {
      return goals;
    }
    for (ShardRouting shard : index.shards()) {
      for (CopyRouting copy : shard.copies()) {
        if (copy.isOn(nodeId)) {
          goals.put(shard.shard(), goal(shard, copy));
        }
      }
      for (Relocation moving : shard.relocations()) {
        if (moving.target().isOn(nodeId)) {
          goals.put(shard.shard(), goal(shard, moving));
        }
      }
    }
    return goals;
  }

  private Goal goal(ShardRouting shard, CopyRouting copy) {
    return goal(shard, copy, copy.primary() ? shard.primaryTerm() : 0);
  }

  private Goal goal(ShardRouting shard, Relocation moving) {
    return goal(shard, moving.target(), moving.handOverTerm());
  }

  private Goal goal(ShardRouting shard, CopyRouting copy, long term) {
    boolean used = term > 0 && term <= termsAtJoin.getOrDefault(shard.shard(), 0L);
    return new Goal.Copy(copy.copyId(), term > 0, term, used, copy.started());
  }

  /** Whether no operation in the shard's folder may still be needed. */
  boolean isDeletable(ClusterState state, ShardId shard) {
    Optional<ShardRouting> found = state.shard(shard);
    if (found.isEmpty()) {
      return true;
    }
    ShardRouting routing = found.get();
    if (routing.everywhere().stream().anyMatch(copy -> copy.isOn(nodeId))) {
      return false;
    }
    if (!routing.released()) {
      return routing.writeCopies().stream().allMatch(state::active);
    }
    Map<String, String> settings =
        state.index(shard.indexUuid()).map(IndexMetadata::settings).orElse(Map.of());
    boolean held =
        IndexSettings.isRemoteBacked(settings) || !IndexSettings.logRetention(settings).shortened();
    return held && routing.copies().stream().allMatch(state::active);
  }

  /** The shards of an index that have a copy here, if it is closed. */
  Set<ShardId> closedHere(IndexMetadata index) {
    Set<ShardId> here = new HashSet<>();
    for (ShardRouting shard : index.closed() ? index.shards() : List.<ShardRouting>of()) {
      if (shard.everywhere().stream().anyMatch(copy -> copy.isOn(nodeId))) {
        here.add(shard.shard());
      }
    }
    return here;
  }
}
