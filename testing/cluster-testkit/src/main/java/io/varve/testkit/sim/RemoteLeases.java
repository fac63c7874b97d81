package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.Decision;
import io.varve.control.command.Decisions;
import io.varve.control.command.IndexCreation;
import io.varve.control.command.LeaseDecisions;
import io.varve.control.command.NewIndex;
import io.varve.events.FeatureLevels;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leases on the shard of {@link RemoteLeader}: production's {@link LeaseDecisions} and the
 * state of a cluster, without its nodes and its log.
 */
final class RemoteLeases {

  private final LeaseDecisions leases;
  private final Decisions decisions;
  private ClusterState state =
      ClusterState.EMPTY
          .apply(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST))
          .apply(
              new ClusterEvent.IndexCreated(
                  new IndexMetadata(
                      "leader",
                      RemoteLeader.SHARD.indexUuid(),
                      0,
                      Map.of(),
                      1,
                      "{}",
                      1,
                      null,
                      List.of(
                          new ShardRouting(
                              RemoteLeader.SHARD,
                              1,
                              List.of(
                                  new CopyRouting("c", true, CopyRouting.State.STARTED, "n1", "")),
                              List.of())))));

  RemoteLeases(World world) {
    this.leases = new LeaseDecisions(() -> world.queue().nowMillis());
    this.decisions =
        new Decisions(
            new IndexCreation(new NewIndex(world::newId, () -> world.queue().nowMillis())),
            world::newId,
            Map::of,
            leases);
    leases.lead(0);
  }

  RemoteCluster.Lease renew(LeaseRenewal request) {
    return switch (decisions.decide(state, new ClusterCommand.RenewLease(request), "")) {
      case Decision.Events(List<ClusterEvent> events) -> {
        events.forEach(this::happened);
        yield LeaseAnswers.done(state, request);
      }
      case Decision.Refused(ErrorBody error) -> LeaseAnswers.refused(error);
    };
  }

  /**
   * The events that are due now are recorded.
   *
   * @param nowMillis of the clock of the leading coordinator
   */
  void tick(long nowMillis) {
    leases.due(state, nowMillis).forEach(this::happened);
  }

  private void happened(ClusterEvent event) {
    state = state.apply(event);
  }

  /** The first record that a lease retains; empty without a lease. */
  Optional<Long> retainedFrom() {
    return state.index(RemoteLeader.SHARD.indexUuid()).stream()
        .flatMap(index -> index.leases().values().stream())
        .filter(RetentionLease::isActive)
        .map(lease -> lease.retainedFrom(0))
        .filter(offset -> offset >= 0)
        .min(Long::compare);
  }
}
