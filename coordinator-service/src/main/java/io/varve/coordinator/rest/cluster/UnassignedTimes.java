package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexChanges;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

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
  private ClusterState known = ClusterState.EMPTY;

  public UnassignedTimes(ClusterAccess cluster, InstantSource clock) {
    this.clock = clock;
    cluster.listen(this::changed);
  }

  /** Only one thread at a time calls this, in the order of the states. */
  @SuppressWarnings("ReferenceEquality") // events that change no member keep the instance
  private void changed(ClusterState state) {
    boolean sameMembers = state.nodes() == known.nodes();
    IndexChanges changes = state.changesSince(sameMembers ? known : ClusterState.EMPTY);
    Set<String> former = new HashSet<>();
    if (sameMembers) {
      changes
          .before()
          .forEach(index -> copies(index).map(CopyRouting::copyId).forEach(former::add));
    } else {
      former.addAll(sinceMillis.keySet());
    }
    long now = clock.millis();
    for (IndexMetadata index : changes.after()) {
      copies(index)
          .filter(copy -> copy.nodeId() == null || !state.nodes().containsKey(copy.nodeId()))
          .forEach(copy -> {
            former.remove(copy.copyId());
            sinceMillis.putIfAbsent(
                copy.copyId(), reason(copy).equals(CREATED) ? index.createdMillis() : now);
          });
    }
    sinceMillis.keySet().removeAll(former);
    known = state;
  }

  private static Stream<CopyRouting> copies(IndexMetadata index) {
    return index.shards().stream().flatMap(shard -> shard.copies().stream());
  }

  /** Returns the time since which the copy has been unassigned; empty for an assigned copy. */
  public OptionalLong since(String copyId) {
    Long since = sinceMillis.get(copyId);
    return since == null ? OptionalLong.empty() : OptionalLong.of(since);
  }

  /** Returns the reason as OpenSearch's constant. */
  public static String reason(CopyRouting copy) {
    return copy.nodeId() != null ? "NODE_LEFT" : formerReason(copy);
  }

  /** Returns why the copy was unassigned last, whether or not it is assigned again. */
  static String formerReason(CopyRouting copy) {
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
