package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The times since which copies are unassigned, as observed by this coordinator: its own start for
 * copies that were unassigned then, the creation of the index for copies that were never assigned.
 */
public final class UnassignedTimes {

  /** The reason for a copy that failed to open on its node. */
  public static final String FAILED = "ALLOCATION_FAILED";

  private static final String CREATED = "INDEX_CREATED";

  private final InstantSource clock;
  private final Map<String, Long> sinceMillis = new ConcurrentHashMap<>();

  public UnassignedTimes(ClusterAccess cluster, InstantSource clock) {
    this.clock = clock;
    cluster.listen(this::changed);
  }

  private void changed(ClusterState state) {
    long now = clock.millis();
    Set<String> without = new HashSet<>();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.nodeId() == null || !state.nodes().containsKey(copy.nodeId())) {
            without.add(copy.copyId());
            sinceMillis.putIfAbsent(
                copy.copyId(), reason(copy).equals(CREATED) ? index.createdMillis() : now);
          }
        }
      }
    }
    sinceMillis.keySet().retainAll(without);
  }

  /** Returns the time since which the copy has been unassigned; empty for an assigned copy. */
  public OptionalLong since(String copyId) {
    Long since = sinceMillis.get(copyId);
    return since == null ? OptionalLong.empty() : OptionalLong.of(since);
  }

  /** Returns the reason as OpenSearch's constant. */
  public static String reason(CopyRouting copy) {
    if (copy.nodeId() != null) {
      return "NODE_LEFT";
    }
    int colon = copy.reason().indexOf(':');
    String word = colon < 0 ? copy.reason() : copy.reason().substring(0, colon);
    return word.isEmpty() ? CREATED : word;
  }

  /** Returns further details of the reason, or an empty string. */
  public static String details(CopyRouting copy) {
    int colon = copy.reason().indexOf(':');
    return colon < 0 ? "" : copy.reason().substring(colon + 1).strip();
  }
}
