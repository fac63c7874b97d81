package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One history: a world drawn from a seed, clients that write while faults strike, then healing, and
 * the demand that everything comes together in bounded time.
 */
public final class Simulation {

  private static final long TROUBLE_MICROS = 3_500_000;
  private static final long HEALING_MICROS = 30_000_000;

  /** What a history was like. */
  public record Outcome(
      long seed,
      String shape,
      long events,
      long virtualMillis,
      long acked,
      long refused,
      long unknown,
      List<String> notes) {}

  private final long seed;
  private final World world;
  private final Chaos chaos;

  private Simulation(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.seed = seed;
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.world = new World(WorldShape.draw(random), random, mutations, invariants);
    this.chaos = new Chaos(world);
  }

  /** Runs the history of {@code seed} under all invariants. */
  public static Outcome run(long seed) {
    return new Simulation(seed, Set.of(), Invariants.all()).run();
  }

  /** Runs it with one rule broken, under the invariant that guards the rule. */
  public static Outcome runMutated(long seed, Mutation mutation) {
    return new Simulation(seed, Set.of(mutation), List.of(Invariants.named(mutation.caughtBy())))
        .run();
  }

  private Outcome run() {
    try {
      world.start();
      world.clients().plan((long) (TROUBLE_MICROS * (0.4 + 0.6 * world.random().nextDouble())));
      chaos.plan(TROUBLE_MICROS - 500_000);
      runUntil(TROUBLE_MICROS);
      chaos.healAll();
      long deadline = TROUBLE_MICROS + HEALING_MICROS;
      while (!cameTogether() && world.queue().nowMicros() < deadline) {
        runUntil(world.queue().nowMicros() + 100_000);
      }
      world.observe(new Observation.Quiet());
      if (!cameTogether()) {
        throw new InvariantViolated("healedClusterComesTogether", lagging());
      }
      return outcome();
    } catch (InvariantViolated e) {
      throw new InvariantViolated(e, world.shape() + ", " + world.notes());
    } catch (RuntimeException e) {
      throw new AssertionError("the history of seed " + seed + " broke off: " + e, e);
    }
  }

  private void runUntil(long micros) {
    while (world.queue().runNext(micros)) {
      // Each event is its own step; the invariants observe from within.
    }
  }

  private boolean cameTogether() {
    SimCoordinator leader = world.leader();
    if (leader == null || world.clients().pending() > 0) {
      return false;
    }
    for (ShardId shard : world.shards()) {
      if (!cameTogether(leader.state(), shard)) {
        return false;
      }
    }
    return !world.shape().follower()
        || world.truth(World.FOLLOWER).lastSeqNo() == world.truth(World.LEADER).lastSeqNo();
  }

  private boolean cameTogether(ClusterState state, ShardId shard) {
    ShardRouting routing = state.shard(shard).orElse(null);
    return routing != null
        && routing.copies().stream().allMatch(CopyRouting::started)
        && world.routedCopies(shard).size() == routing.copies().size()
        && world.routedCopies(shard).stream()
            .allMatch(copy -> copy.visibleSeqNo() == world.truth(shard).lastSeqNo());
  }

  private String lagging() {
    StringBuilder text = new StringBuilder("after healing");
    SimCoordinator leader = world.leader();
    if (leader == null) {
      return text.append(" nobody leads").toString();
    }
    for (ShardId shard : world.shards()) {
      text.append("; ").append(shard).append(" ends at ").append(world.truth(shard).lastSeqNo());
      leader.state().shard(shard).ifPresent(routing -> text.append(" ").append(routing));
      world
          .routedCopies(shard)
          .forEach(
              copy -> text.append(", ").append(copy).append(" at ").append(copy.visibleSeqNo()));
    }
    return text + "; pending writes: " + world.clients().pending();
  }

  private Outcome outcome() {
    long acked = 0;
    long refused = 0;
    long unknown = 0;
    for (Write write : world.clients().writes()) {
      switch (write.answer) {
        case ACKED -> acked++;
        case REFUSED -> refused++;
        case UNKNOWN, PENDING -> unknown++;
      }
    }
    return new Outcome(
        seed,
        world.shape().toString(),
        world.queue().executed(),
        world.queue().nowMillis(),
        acked,
        refused,
        unknown,
        world.notes());
  }
}
