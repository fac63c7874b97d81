package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.control.allocation.Reconciler.Place;
import io.varve.events.ShardId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tracks where copies failed. A place is refused for one second after the first failure and twice
 * as long after each further one, up to a minute, until a copy of the shard starts there. So a copy
 * that fails everywhere is retried without limit, with exponential back-off. Not thread-safe.
 */
public final class FailedPlaces {

  private static final long FIRST_MILLIS = 1_000;
  private static final long LONGEST_MILLIS = 60_000;

  private record Failure(int times, long untilMillis) {}

  private final Map<Place, Failure> failures = new LinkedHashMap<>();

  public void failed(ShardId shard, String nodeId, long nowMillis) {
    Place place = new Place(shard, nodeId);
    Failure last = failures.get(place);
    int times = last == null ? 1 : last.times() + 1;
    long pause = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(times - 1, 10));
    failures.put(place, new Failure(times, nowMillis + pause));
  }

  /** Clears the failures for the next decision. */
  public void clear() {
    failures.clear();
  }

  public void started(ShardId shard, String nodeId) {
    failures.remove(new Place(shard, nodeId));
  }

  /**
   * The places that are refused now, in the order of their first failures. Drops the shards of
   * deleted indices.
   */
  public Set<Place> refused(ClusterState state, long nowMillis) {
    failures.keySet().removeIf(place -> state.shard(place.shard()).isEmpty());
    return failures.entrySet().stream()
        .filter(e -> e.getValue().untilMillis() > nowMillis)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
