package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ForkPlace;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides what is recorded when the first primary of a promoted index starts: its fork, and a lease
 * that retains the index's own log from there on, so that the former leader can fail back. That
 * lease is not renewed and lasts for its period.
 */
final class ForkDecisions {

  private ForkDecisions() {}

  /**
   * Empty if the fork is already recorded, or the index was never promoted.
   *
   * @param timeMillis the time of day
   */
  static List<ClusterEvent> forked(
      ClusterState state, ClusterCalls.CopyStarted news, long timeMillis) {
    ForkPlace place = news.fork();
    int shard = news.shard().number();
    Optional<IndexMetadata> found =
        state.index(news.shard().indexUuid()).filter(index -> index.awaitsFork(shard));
    if (place == null || found.isEmpty()) {
      return List.of();
    }
    IndexMetadata index = found.get();
    String holder = Objects.requireNonNull(index.fork()).holder();
    RetentionLease lease = index.leases().get(holder);
    Map<Integer, Long> from = Map.of(shard, place.offset());
    RetentionLease held =
        lease != null && lease.isActive()
            ? lease.renewed(from, timeMillis)
            : new RetentionLease(state.version() + 1, timeMillis, from);
    return List.of(
        new ClusterEvent.ShardForked(news.shard(), place),
        new ClusterEvent.LeasesChanged(Map.of(index.uuid(), Map.of(holder, held))));
  }
}
