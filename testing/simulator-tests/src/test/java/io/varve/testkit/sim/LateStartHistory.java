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
 * A replica of a strongly consistent index starts. Its report is under way while its node is
 * removed from the cluster, in which clients write and read meanwhile, and the node returns with
 * the same process. Then the report arrives.
 */
final class LateStartHistory {

  private static final long SECOND = 1_000_000;
  private static final int REPORTS = 4;

  private final World world;
  private final Random random;
  private final Convergence convergence;
  private int late;

  LateStartHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    convergence = new Convergence(world);
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader())
        .filter(shape -> !shape.follower())
        .findFirst()
        .orElseThrow();
  }

  /** Returns how many reports arrived after their node had left and joined again. */
  int run() {
    for (int i = 0; i < REPORTS; i++) {
      world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
      new StrongReaders(world).plan(world.queue().nowMicros(), 3 * SECOND);
      pass(random.nextInt((int) SECOND / 2));
      startedReplica().ifPresent(this::reportLate);
    }
    world.network().healAll();
    for (int i = 0; i < 300 && !convergence.reached(); i++) {
      pass(SECOND / 10);
    }
    world.observe(new Observation.Quiet());
    assertThat(convergence.reached())
        .as("%s, %s, %s", convergence.lagging(), world.shape(), world.notes())
        .isTrue();
    return late;
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

  private void reportLate(SimNode node) {
    node.startReports().hold();
    node.kill();
    node.start();
    if (await(() -> node.startReports().holdsAny())) {
      cutOff(node);
      boolean removed = await(() -> !isMember(node));
      pass(random.nextInt((int) SECOND / 2));
      world.network().heal(node.nodeId(), Network.LOG);
      if (removed && await(() -> isMember(node))) {
        late++;
      }
    }
    node.startReports().release();
    pass(random.nextInt((int) SECOND / 20));
    world.network().healAll();
  }

  /** The node neither writes heartbeats nor learns what happens. */
  private void cutOff(SimNode node) {
    world.network().cut(node.nodeId(), Network.LOG);
    for (SimNode other : world.nodes()) {
      world.network().cut(node.nodeId(), other.nodeId());
    }
  }

  private boolean isMember(SimNode node) {
    return world.newestState().node(node.nodeId()).isPresent();
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
