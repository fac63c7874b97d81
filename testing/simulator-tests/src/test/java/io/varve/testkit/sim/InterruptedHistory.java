package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A history of {@link Simulation} in which an index follows the one that clients write to, and in
 * which a test strikes the processes and links of the follower.
 */
final class InterruptedHistory {

  private static final long SECOND = 1_000_000;

  final long seed;
  final World world;
  final Chaos chaos;
  final Convergence convergence;

  InterruptedHistory(long seed) {
    this(seed, WorldShape::followed);
  }

  /** With all rules and invariants. */
  InterruptedHistory(long seed, UnaryOperator<WorldShape> change) {
    this(seed, change, Set.of(), Invariants.all());
  }

  /**
   * @param change of the shape that the seed draws
   */
  InterruptedHistory(
      long seed,
      UnaryOperator<WorldShape> change,
      Set<Mutation> mutations,
      List<Invariant> invariants) {
    this.seed = seed;
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    WorldShape shape = change.apply(WorldShape.draw(random));
    world = new World(shape, random, mutations, invariants);
    chaos = new Chaos(world);
    convergence = new Convergence(world);
    world.start();
    world.clients().plan(0, 3 * SECOND);
  }

  void pass(long micros) {
    try {
      world.runUntil(world.queue().nowMicros() + micros);
    } catch (InvariantViolated e) {
      throw new InvariantViolated(e, "seed " + seed + ", " + world.shape() + ", " + world.notes());
    }
  }

  void await(String what, BooleanSupplier condition) {
    for (int i = 0; i < 3_000 && !condition.getAsBoolean(); i++) {
      pass(SECOND / 50);
    }
    assertThat(condition.getAsBoolean())
        .as(
            "%s; seed %s, %s, %s%s",
            what, seed, world.shape(), world.notes(), convergence.lagging())
        .isTrue();
  }

  long held(ShardId shard) {
    return world.logs().acceptedLog(shard).lastSeqNo();
  }

  boolean exists() {
    return world.newestState().index(World.FOLLOWER.indexUuid()).isPresent();
  }

  /** Whether the follower's primary is started and has operations. */
  boolean follows() {
    return held(World.FOLLOWER) >= 0
        && world
            .newestState()
            .shard(World.FOLLOWER)
            .map(ShardRouting::primary)
            .filter(CopyRouting::started)
            .isPresent();
  }

  /** A puller's node, or that of the primary of leader or follower. */
  SimNode involved() {
    List<String> nodes = new ArrayList<>(List.of("f1", "f2"));
    for (var shard : List.of(World.LEADER, World.FOLLOWER)) {
      world
          .newestState()
          .shard(shard)
          .map(ShardRouting::primary)
          .map(CopyRouting::nodeId)
          .ifPresent(nodes::add);
    }
    return world.node(nodes.get(world.random().nextInt(nodes.size())));
  }

  void strike() {
    SimNode node = involved();
    SimNode other = involved();
    if (world.random().nextBoolean()) {
      world.network().cut(node.nodeId(), other.nodeId());
      world.queue().after(SECOND / 2, () -> world.network().heal(node.nodeId(), other.nodeId()));
    } else if (node.process().isUp()) {
      node.kill();
      world.restartLater(node.process(), node::start);
    }
  }

  void comeTogether() {
    chaos.healAll();
    await("all come together", convergence::reached);
    world.observe(new Observation.Quiet());
    assertThat(held(world.indices().followerShard()))
        .isEqualTo(world.logs().acceptedLog(World.LEADER).lastSeqNo());
  }

  boolean says(String words) {
    return world.notes().stream().anyMatch(note -> note.contains(words));
  }
}
