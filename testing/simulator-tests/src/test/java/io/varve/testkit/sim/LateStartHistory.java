package io.varve.testkit.sim;

import java.util.List;
import java.util.Set;

/**
 * While the report of a replica of a strongly consistent index is under way, its node is removed
 * from the cluster, in which clients write and read meanwhile, and the node returns with the same
 * process. Then the report arrives.
 */
final class LateStartHistory extends StartReportHistory {

  LateStartHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    super(seed, WorldShape::withStrongLeader, SECOND / 20, mutations, invariants);
  }

  @Override
  void planReads() {
    new StrongReaders(world).plan(world.queue().nowMicros(), 3 * SECOND);
  }

  @Override
  boolean whileHeld(SimNode node) {
    // The node neither writes heartbeats nor learns what happens.
    world.network().cut(node.nodeId(), Network.LOG);
    cutFromNodes(node);
    boolean removed = await(() -> !isMember(node));
    passAtMost(SECOND / 2);
    world.network().heal(node.nodeId(), Network.LOG);
    return removed && await(() -> isMember(node));
  }

  private boolean isMember(SimNode node) {
    return world.newestState().node(node.nodeId()).isPresent();
  }
}
