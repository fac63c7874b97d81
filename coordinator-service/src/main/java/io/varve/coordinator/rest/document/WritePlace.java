package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;
import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides to which primaries a batch can be sent in a cluster state. Pure. */
sealed interface WritePlace {

  /**
   * @param targets the primaries, at least one, to which the batch is sent in turn
   * @param started the number of copies that will apply the batch
   */
  record Ready(List<PrimaryTarget> targets, int started) implements WritePlace {}

  /** The batch cannot be sent before the cluster state changes. */
  record NotYet(String reason) implements WritePlace {}

  /** The index was deleted. */
  record Gone() implements WritePlace {}

  /**
   * @param activeShards the number of copies that must be active; null for the index's setting
   */
  static WritePlace of(ClusterState state, ShardBatch batch, @Nullable ActiveShards activeShards) {
    Optional<IndexMetadata> index = state.index(batch.index().uuid());
    if (index.isEmpty()) {
      return new Gone();
    }
    ShardRouting shard = index.get().shard(batch.shard());
    List<CopyAddress> started = CopyAddress.writing(state, shard);
    List<PrimaryTarget> targets = targets(state, shard, started);
    if (targets.isEmpty()) {
      return new NotYet("primary shard is not active");
    }
    targets.removeIf(target -> target.term() <= batch.unansweredTerm());
    if (targets.isEmpty()) {
      return new NotYet(
          "the primary of term "
              + batch.unansweredTerm()
              + " did not answer, and no other has taken over");
    }
    ActiveShards wanted = activeShards == null ? ActiveShards.of(index.get()) : activeShards;
    int needed = wanted.wanted(shard);
    return started.size() < needed
        ? new NotYet(
            "Not enough active copies to meet shard count of ["
                + wanted
                + "] (have "
                + started.size()
                + ", needed "
                + needed
                + ").")
        : new Ready(targets, started.size());
  }

  /**
   * Returns the active primary, followed by the copy to which it hands over, as far as they exist.
   */
  private static List<PrimaryTarget> targets(
      ClusterState state, ShardRouting shard, List<CopyAddress> started) {
    List<PrimaryTarget> targets = new ArrayList<>();
    if (!started.isEmpty() && started.getFirst().copy().primary()) {
      targets.add(new PrimaryTarget(started.getFirst(), shard.primaryTerm()));
    }
    shard
        .handOver()
        .ifPresent(moving ->
            CopyAddress.of(state, shard, moving.target())
                .ifPresent(copy -> targets.add(new PrimaryTarget(copy, moving.handOverTerm()))));
    return targets;
  }
}
