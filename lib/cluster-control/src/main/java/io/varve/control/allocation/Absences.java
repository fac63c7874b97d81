package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.HashMap;
import java.util.Map;

/**
 * Records since when nodes with assigned copies are absent. A new leader starts counting again, so
 * a copy may wait for its node longer than configured, never shorter. Not thread-safe.
 */
public final class Absences {

  private final Map<String, Long> sinceMillis = new HashMap<>();

  public Map<String, Long> update(ClusterState state, long nowMillis) {
    sinceMillis.keySet().removeIf(state.nodes()::containsKey);
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.nodeId() != null && !state.nodes().containsKey(copy.nodeId())) {
            sinceMillis.putIfAbsent(copy.nodeId(), nowMillis);
          }
        }
      }
    }
    return Map.copyOf(sinceMillis);
  }
}
