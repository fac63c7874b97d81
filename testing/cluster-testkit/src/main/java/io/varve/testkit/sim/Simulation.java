package io.varve.testkit.sim;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One history: a world drawn from a seed, clients that write while faults are injected, then
 * healing, and the requirement that all copies converge in bounded time.
 */
public final class Simulation {

  private static final long TROUBLE_MICROS = 3_500_000;
  private static final long HEALING_MICROS = 30_000_000;
  private static final int SEARCHES = 100;

  /** Statistics of a history. */
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
  private final Convergence convergence;

  private Simulation(
      long seed,
      UnaryOperator<WorldShape> change,
      Set<Mutation> mutations,
      List<Invariant> invariants) {
    this.seed = seed;
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.world = new World(change.apply(WorldShape.draw(random)), random, mutations, invariants);
    this.chaos = new Chaos(world);
    this.convergence = new Convergence(world);
  }

  /** Runs the history of {@code seed} with all invariants. */
  public static Outcome run(long seed) {
    return run(seed, UnaryOperator.identity(), Set.of(), Invariants.all());
  }

  /**
   * Runs it with these rules broken, and with these invariants.
   *
   * @param change of the world that the seed draws
   */
  static Outcome run(
      long seed,
      UnaryOperator<WorldShape> change,
      Set<Mutation> mutations,
      List<Invariant> invariants) {
    return new Simulation(seed, change, mutations, invariants).run();
  }

  private Outcome run() {
    try {
      world.start();
      world.clients().plan(0, (long) (TROUBLE_MICROS * (0.4 + 0.6 * world.random().nextDouble())));
      world.clients().searches().plan(SEARCHES, 0, TROUBLE_MICROS);
      chaos.plan(TROUBLE_MICROS - 500_000);
      world.runUntil(TROUBLE_MICROS);
      chaos.healAll();
      long deadline = TROUBLE_MICROS + HEALING_MICROS;
      while (!convergence.reached() && world.queue().nowMicros() < deadline) {
        world.runUntil(world.queue().nowMicros() + 100_000);
      }
      world.observe(new Observation.Quiet());
      if (!convergence.reached()) {
        throw new InvariantViolated("healedClusterComesTogether", convergence.lagging());
      }
      return outcome();
    } catch (InvariantViolated e) {
      throw new InvariantViolated(e, world.shape() + ", " + world.notes());
    } catch (RuntimeException e) {
      throw new AssertionError("the history of seed " + seed + " failed: " + e, e);
    }
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
