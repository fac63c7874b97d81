package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Adds or removes copies of a shard until it has as many as its index requires. When copies are
 * removed, active ones are kept first, then those closest to being active. An index in search-only
 * mode whose writers were released has neither a primary nor replicas.
 */
final class ReplicaCount {

  private final Supplier<String> ids;

  /**
   * @param ids supplies unique ids for copies
   */
  ReplicaCount(Supplier<String> ids) {
    this.ids = ids;
  }

  /** The event that adds or removes copies; empty if the number is right. */
  Optional<ClusterEvent> change(ClusterState state, IndexMetadata index, ShardRouting shard) {
    boolean written = !shard.released() || !index.searchOnly();
    int writing = written ? 1 + index.numberOfReplicas() : 0;
    int forSearch = index.numberOfSearchReplicas();
    if (shard.writeCopies().size() == writing && shard.searchReplicas().size() == forSearch) {
      return Optional.empty();
    }
    List<CopyRouting> copies = new ArrayList<>();
    if (written) {
      copies.add(shard.released() ? primaryAgain() : shard.primary());
    }
    copies.addAll(best(state, shard.replicas(), writing - 1));
    while (copies.size() < writing) {
      copies.add(CopyRouting.unassigned(ids.get(), false, "REPLICA_ADDED"));
    }
    copies.addAll(best(state, shard.searchReplicas(), forSearch));
    while (copies.size() < writing + forSearch) {
      copies.add(CopyRouting.unassignedForSearch(ids.get(), "REPLICA_ADDED"));
    }
    return Optional.of(new ClusterEvent.CopiesChanged(shard.shard(), copies));
  }

  private CopyRouting primaryAgain() {
    return CopyRouting.unassigned(ids.get(), true, "WRITERS_WANTED");
  }

  private static List<CopyRouting> best(ClusterState state, List<CopyRouting> copies, int count) {
    return copies.stream()
        .sorted(
            Comparator.comparing((CopyRouting copy) -> !state.active(copy))
                .thenComparing(CopyRouting::state, Comparator.reverseOrder()))
        .limit(Math.max(0, count))
        .toList();
  }
}
