package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A replica starts, and its report takes long to arrive. Meanwhile the replica gets nothing from
 * other nodes, and clients write and wait until their writes are visible. Then the report arrives,
 * and the replica is searched.
 */
final class HeldStartHistory {

  private static final long SECOND = 1_000_000;
  private static final int STARTS = 4;
  private static final int SEARCHES = 600;

  private final World world;
  private final Random random;
  private final Convergence convergence;
  private int held;

  HeldStartHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    convergence = new Convergence(world);
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random))
        .filter(shape -> !shape.follower())
        .findFirst()
        .orElseThrow();
  }

  /** Returns how many reports were held until the replica had started to fall behind. */
  int run() {
    for (int i = 0; i < STARTS; i++) {
      world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
      world.clients().searches().plan(SEARCHES, world.queue().nowMicros(), 3 * SECOND);
      pass(random.nextInt((int) SECOND / 2));
      startedReplica().ifPresent(this::startLate);
    }
    world.network().healAll();
    for (int i = 0; i < 300 && !convergence.reached(); i++) {
      pass(SECOND / 10);
    }
    world.observe(new Observation.Quiet());
    assertThat(convergence.reached())
        .as("%s, %s, %s", convergence.lagging(), world.shape(), world.notes())
        .isTrue();
    return held;
  }

  private Optional<SimNode> startedReplica() {
    ClusterState state = world.newestState();
    return state
        .shard(World.LEADER)
        .filter(shard -> state.active(shard.primary()))
        .flatMap(shard -> shard.replicas().stream().filter(state::active).findFirst())
        .map(CopyRouting::nodeId)
        .map(world::node);
  }

  private void startLate(SimNode node) {
    node.startReports().hold();
    node.kill();
    node.start();
    if (await(() -> node.startReports().holdsAny())) {
      for (SimNode other : world.nodes()) {
        world.network().cut(node.nodeId(), other.nodeId());
      }
      pass(random.nextInt((int) SECOND));
      held++;
    }
    node.startReports().release();
    pass(random.nextInt((int) SECOND / 2));
    world.network().healAll();
  }

  /** Returns whether the condition holds in time: a replica may also lose its place. */
  private boolean await(BooleanSupplier condition) {
    for (int i = 0; i < 1_500 && !condition.getAsBoolean(); i++) {
      pass(SECOND / 500);
    }
    return condition.getAsBoolean();
  }

  private void pass(long micros) {
    world.runUntil(world.queue().nowMicros() + micros);
  }
}
