package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Records since when nodes with assigned copies are absent. A new leader restarts the measurement,
 * so a copy may wait for its node longer than configured, but never shorter. Not thread-safe.
 */
public final class Absences {

  private final Map<String, Long> sinceMillis = new HashMap<>();
  private ClusterState known = ClusterState.EMPTY;

  /** Since when each of these nodes is absent; an unchanged state is not searched again. */
  @SuppressWarnings("ReferenceEquality") // this very state
  public Map<String, Long> update(ClusterState state, long nowMillis) {
    if (state != known) {
      search(state, nowMillis);
      known = state;
    }
    return new TreeMap<>(sinceMillis);
  }

  private void search(ClusterState state, long nowMillis) {
    Set<String> absent = new HashSet<>();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.nodeId() != null && !state.nodes().containsKey(copy.nodeId())) {
            absent.add(copy.nodeId());
          }
        }
      }
    }
    sinceMillis.keySet().retainAll(absent);
    absent.forEach(nodeId -> sinceMillis.putIfAbsent(nodeId, nowMillis));
  }
}
