package io.varve.testkit.sim;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * While the report of a replica is held, the replica gets nothing from other nodes, and clients
 * write and wait until their writes are visible. Then the report arrives, and the replica is
 * searched.
 */
final class HeldStartHistory extends StartReportHistory {

  private static final int SEARCHES = 600;

  HeldStartHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    super(seed, UnaryOperator.identity(), SECOND / 2, mutations, invariants);
  }

  @Override
  void planReads() {
    world.clients().searches().plan(SEARCHES, world.queue().nowMicros(), 3 * SECOND);
  }

  @Override
  boolean whileHeld(SimNode node) {
    cutFromNodes(node);
    passAtMost(SECOND);
    return true;
  }
}
