package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A replica starts while clients write, and its report is held until something has happened to its
 * node. Then the report arrives. That is repeated, and at the end the world converges.
 */
abstract class StartReportHistory {

  static final long SECOND = 1_000_000;

  private static final int REPORTS = 4;

  final World world;
  final Random random;
  private final long mostAfterReportMicros;
  private final Convergence convergence;

  /**
   * @param shape changes the shape that is drawn
   * @param mostAfterReportMicros at most this long after the report the network is healed
   */
  StartReportHistory(
      long seed,
      UnaryOperator<WorldShape> shape,
      long mostAfterReportMicros,
      Set<Mutation> mutations,
      List<Invariant> invariants) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.world = new World(drawn(random, shape), random, mutations, invariants);
    this.mostAfterReportMicros = mostAfterReportMicros;
    this.convergence = new Convergence(world);
    world.start();
    world.faults().heal();
  }

  private static WorldShape drawn(Random random, UnaryOperator<WorldShape> shape) {
    return Stream.generate(() -> shape.apply(WorldShape.draw(random)))
        .filter(drawn -> !drawn.follower())
        .findFirst()
        .orElseThrow();
  }

  /** Plans the reads of the next three seconds. */
  abstract void planReads();

  /** What happens to the node whose report is held; returns whether it did as wanted. */
  abstract boolean whileHeld(SimNode node);

  /** Returns how many reports arrived late, as wanted. */
  int run() {
    int late = 0;
    for (int i = 0; i < REPORTS; i++) {
      world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
      planReads();
      passAtMost(SECOND / 2);
      Optional<SimNode> replica = startedReplica();
      if (replica.isPresent() && reportsLate(replica.get())) {
        late++;
      }
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

  private boolean reportsLate(SimNode node) {
    start(node);
    boolean late =
        await(() -> holding().findFirst().isPresent())
            && whileHeld(holding().findFirst().orElseThrow());
    world.nodes().forEach(one -> one.startReports().release());
    passAtMost(mostAfterReportMicros);
    world.network().healAll();
    return late;
  }

  /** Lets a copy start whose report is held. */
  void start(SimNode node) {
    node.startReports().hold();
    node.kill();
    node.start();
  }

  private Stream<SimNode> holding() {
    return StreamSupport.stream(world.nodes().spliterator(), false)
        .filter(node -> node.startReports().holdsAny());
  }

  void cutFromNodes(SimNode node) {
    for (SimNode other : world.nodes()) {
      world.network().cut(node.nodeId(), other.nodeId());
    }
  }

  /** Returns whether the condition holds in time: a replica may also lose its place. */
  boolean await(BooleanSupplier condition) {
    for (int i = 0; i < 1_500 && !condition.getAsBoolean(); i++) {
      pass(SECOND / 500);
    }
    return condition.getAsBoolean();
  }

  void passAtMost(long micros) {
    pass(random.nextInt((int) micros));
  }

  private void pass(long micros) {
    world.runUntil(world.queue().nowMicros() + micros);
  }
}
