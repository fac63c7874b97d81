package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.TermFence;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * The cluster log, read from its start: what {@link TermFence} accepts is applied, the rest changes
 * nothing. Two readers at the same offset hold equal states. Not thread-safe.
 */
public final class ClusterFold {

  private final TermFence fence = new TermFence();
  private final Set<String> deletedIndices = new HashSet<>();
  private ClusterState state = ClusterState.EMPTY;

  public TermFence.Verdict add(StoredRecord stored) {
    TermFence.Verdict verdict = fence.judge(stored.record());
    switch (verdict) {
      case FENCE_WON ->
          state = state.ledBy(RecordHeader.fenceNodeId(stored.record().header()), fence.term());
      case ACCEPTED -> {
        byte[] value = Objects.requireNonNull(stored.record().value(), "a cluster event's value");
        ClusterEvent event = Json.read(value, ClusterEvent.class);
        state = state.apply(event);
        deletedIndices.addAll(event.deletedIndexUuids());
      }
      case FENCE_LOST, STALE_TERM, OUT_OF_SEQUENCE -> {}
    }
    return verdict;
  }

  public ClusterState state() {
    return state;
  }

  /** The uuids of all indices that were ever deleted. */
  public Set<String> deletedIndices() {
    return Collections.unmodifiableSet(deletedIndices);
  }

  /** The fence right behind the last record; the fold's own. */
  public TermFence fence() {
    return fence;
  }
}
