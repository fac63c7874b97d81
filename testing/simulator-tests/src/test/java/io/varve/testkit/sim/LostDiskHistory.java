package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A history in which the primary of a SEGMENT index loses its disk while the only replica is being
 * built, and lacks the newest manifest. The log is truncated, and there is no segment store.
 *
 * <pre>
 *   RESTARTED        the replica holds an older manifest
 *   FORMER_PRIMARY   the replica holds the last commit that it wrote as the primary
 *   EMPTY            the replica holds nothing: the content is lost
 * </pre>
 */
final class LostDiskHistory {

  /** What the replica holds. */
  enum Replica {
    RESTARTED,
    FORMER_PRIMARY,
    EMPTY
  }

  private static final long SECOND = 1_000_000;

  private final World world;
  private final Random random;
  private final Convergence convergence;
  private final Replica replica;
  private final boolean returns;

  LostDiskHistory(long seed, Replica replica, Set<Mutation> mutations, List<Invariant> invariants) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.replica = replica;
    this.returns = replica == Replica.EMPTY || random.nextBoolean();
    this.world = new World(shape(random), random, mutations, invariants);
    this.convergence = new Convergence(world);
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).truncatingAlone())
        .filter(shape -> shape.replicas() == 1)
        .filter(shape -> shape.leaderType().equals(IndexMetadata.SEGMENT))
        .findFirst()
        .orElseThrow();
  }

  /** Ends when all copies show the whole log; false if another replica was assigned meanwhile. */
  boolean isHealed() {
    if (!primaryIsLost()) {
      return false;
    }
    await("all come together", convergence::reached);
    world.observe(new Observation.Quiet());
    return true;
  }

  /** Ends after a long time; false if another replica was assigned meanwhile. */
  boolean isLostForGood() {
    if (!primaryIsLost()) {
      return false;
    }
    await("the loss is noticed", () -> copies().noneMatch(CopyRouting::started));
    for (int i = 0; i < 200; i++) {
      pass(SECOND / 10);
      assertThat(copies()).as("%s", world.notes()).noneMatch(CopyRouting::started);
    }
    assertThat(routing().primary().reason()).startsWith("ALLOCATION_FAILED");
    return true;
  }

  private boolean primaryIsLost() {
    world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    await(
        "operations are truncated",
        () ->
            world.logs().acceptedLog(World.LEADER).nextSeqNoBefore(log.startOffset()) > 0
                && copies().allMatch(CopyRouting::started));
    SimNode first = node(routing().primary());
    SimNode other =
        copies().filter(copy -> !copy.primary()).map(this::node).findFirst().orElseThrow();
    SimNode building = replica == Replica.FORMER_PRIMARY ? first : other;
    SimNode primary = replica == Replica.FORMER_PRIMARY ? other : first;
    building.kill();
    if (replica == Replica.EMPTY) {
      building.loseDisk();
    }
    world.network().cut(building.nodeId(), primary.nodeId());
    await("the other copy is the primary", () -> isPrimary(primary));
    world.clients().plan(world.queue().nowMicros(), SECOND);
    pass(SECOND / 4);
    building.start();
    await("its process is known", () -> isInitializing(building) || isMoved(building));
    pass(SECOND + random.nextInt((int) SECOND));
    if (!isInitializing(building) || !isPrimary(primary)) {
      return false;
    }
    loseDisk(primary);
    pass(random.nextInt((int) SECOND / 10));
    world.network().heal(building.nodeId(), primary.nodeId());
    return true;
  }

  private void loseDisk(SimNode node) {
    world.note("lose the disk of " + node.process() + (returns ? "" : ", which does not return"));
    node.kill();
    node.loseDisk();
    if (returns) {
      world.queue().after(1 + random.nextInt((int) SECOND / 2), node::start);
    }
  }

  private boolean isPrimary(SimNode node) {
    return copies().anyMatch(copy -> copy.primary() && copy.started() && copy.isOn(node.nodeId()));
  }

  private boolean isInitializing(SimNode node) {
    return copies()
        .anyMatch(copy -> !copy.primary() && !copy.started() && copy.isOn(node.nodeId()));
  }

  private boolean isMoved(SimNode node) {
    return copies().noneMatch(copy -> copy.isOn(node.nodeId()));
  }

  private Stream<CopyRouting> copies() {
    return Optional.of(world.newestState()).flatMap(state -> state.shard(World.LEADER)).stream()
        .flatMap(shard -> shard.copies().stream());
  }

  private ShardRouting routing() {
    return world.newestState().shard(World.LEADER).orElseThrow();
  }

  private SimNode node(CopyRouting copy) {
    return world.node(String.valueOf(copy.nodeId()));
  }

  private void pass(long micros) {
    world.runUntil(world.queue().nowMicros() + micros);
  }

  private void await(String what, BooleanSupplier condition) {
    for (int i = 0; i < 3_000 && !condition.getAsBoolean(); i++) {
      pass(SECOND / 50);
    }
    assertThat(condition.getAsBoolean())
        .as("%s; %s, %s, %s", what, convergence.lagging(), world.shape(), world.notes())
        .isTrue();
  }
}
