package io.varve.testkit.sim;

import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.events.RecordHeader;
import io.varve.rpc.ForkPlace;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * When a former leader index is deleted because another index replaced it, the quarantine has each
 * operation that the former index accepted after the fork, and the former index accepts no later
 * ones.
 */
final class QuarantineHoldsWhatFollowedTheFork implements Invariant {

  private boolean isDeleted;

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.ClusterLogged(var before, var now) -> {
        IndexMetadata successor = before.index(World.FAILED_BACK.indexUuid()).orElse(null);
        boolean deleted =
            before.index(World.LEADER.indexUuid()).isPresent()
                && now.index(World.LEADER.indexUuid()).isEmpty();
        if (successor != null && deleted) {
          isDeleted = true;
          check(successor, world);
        }
      }
      case Observation.Landed(var shard, long offset) ->
          require(
              !isDeleted
                  || !shard.equals(World.LEADER)
                  || world.logs().acceptedLog(shard).acceptedAt(offset) == null,
              "the deleted index accepted a record at %d",
              offset);
      default -> {}
    }
  }

  private void check(IndexMetadata successor, World world) {
    ForkPlace fork =
        Optional.ofNullable(successor.follow())
            .flatMap(FollowRelation::failback)
            .map(Failback::forks)
            .map(forks -> forks.get(World.LEADER.number()))
            .orElseThrow();
    List<Long> held =
        world.logs().partition(QuarantineLog.TOPIC).all().stream()
            .map(stored -> RecordHeader.read(Objects.requireNonNull(stored.record().header())))
            .map(RecordHeader::seqNo)
            .toList();
    for (AcceptedLog.Accepted accepted : world.logs().acceptedLog(World.LEADER).accepted()) {
      long seqNo = accepted.operation().seqNo();
      require(
          seqNo <= fork.seqNo() || held.contains(seqNo),
          "the quarantine lacks seq_no %d after %s",
          seqNo,
          fork);
    }
  }
}
