package io.varve.testkit.sim;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Runs one history of any kind. */
final class HistoryOfKind {

  private HistoryOfKind() {}

  static void run(
      Mutation.Kind kind, long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    switch (kind) {
      case ANY -> Simulation.run(seed, UnaryOperator.identity(), mutations, invariants);
      case STRONG_INDICES ->
          Simulation.run(seed, WorldShape::withStrongLeader, mutations, invariants);
      case FOLLOWED_CLUSTERS ->
          Simulation.run(seed, WorldShape::followingARemote, mutations, invariants);
      case FAILBACKS -> new FailbackHistory(seed, mutations, invariants).run();
      case LOST_SHARDS -> new LostShardHistory(seed, mutations, invariants).run();
      case TWO_BEGINNINGS -> new TwoBeginningsHistory(seed, mutations, invariants).run();
      case LOST_PLACES -> new LostPlaceHistory(seed, mutations, invariants).run();
      case REREPLICATIONS -> new RereplicationHistory(seed, mutations, invariants).run();
      case WRITING_JOBS -> new WritingJobHistory(seed, mutations, invariants).run();
      case REVIVALS -> new RevivedShardHistory(seed, mutations, invariants).run();
      case LATE_STARTS -> new LateStartHistory(seed, mutations, invariants).run();
      case HELD_STARTS -> new HeldStartHistory(seed, mutations, invariants).run();
      case UNKNOWN_STARTS -> new UnknownStartHistory(seed, mutations, invariants).run();
      case UPGRADES ->
          new UpgradeHistory(UpgradeHistory.Former.WITHOUT_LEVELS, seed, mutations, invariants)
              .run();
      case UNPUBLISHED_TAILS -> new UnpublishedTailHistory(seed, mutations, invariants).run();
      case CHANGES -> new AcknowledgedChangeHistory(seed, mutations, invariants).run();
      case LOG_OUTAGES -> new LogOutageHistory(seed, mutations, invariants).run();
    }
  }
}
