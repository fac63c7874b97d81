package io.varve.testkit.sim;

import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A replica is removed, and another one is assigned, while all coordinators but the leading one are
 * cut off from the cluster log. Clients write through all of them and wait until their writes are
 * visible, while the new replica gets nothing from other nodes. Then its report arrives, and it is
 * searched.
 */
final class UnknownStartHistory extends StartReportHistory {

  private static final int SEARCHES = 600;

  UnknownStartHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    super(seed, drawn -> drawn.withCoordinators(2), SECOND / 2, mutations, invariants);
  }

  @Override
  void planReads() {
    world.clients().searches().plan(SEARCHES, world.queue().nowMicros(), 3 * SECOND);
  }

  @Override
  void start(SimNode node) {
    replicas(0);
    boolean removed = await(() -> replicas() == 0);
    SimCoordinator leader = world.leader();
    if (!removed || leader == null) {
      return;
    }
    for (SimCoordinator coordinator : world.coordinators()) {
      if (coordinator != leader) {
        world.note(coordinator.process() + " lags");
        world.network().cut(coordinator.process().name(), Network.CLUSTER_TOPICS);
      }
    }
    world.nodes().forEach(one -> one.startReports().hold());
    replicas(1);
  }

  private void replicas(int number) {
    SimCoordinator leader = world.leader();
    if (leader != null) {
      leader.execute(
          new ClusterCommand.UpdateIndexSettings(
              List.of(Indices.LEADER),
              Map.of(IndexSettings.NUMBER_OF_REPLICAS, Integer.toString(number)),
              false));
    }
  }

  private int replicas() {
    return world
        .newestState()
        .shard(World.LEADER)
        .map(ShardRouting::replicas)
        .map(List::size)
        .orElse(0);
  }

  @Override
  boolean whileHeld(SimNode node) {
    cutFromNodes(node);
    passAtMost(SECOND);
    return true;
  }
}
