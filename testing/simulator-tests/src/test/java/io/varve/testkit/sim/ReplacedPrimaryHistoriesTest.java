package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary is replaced while it runs. Neither its node nor one of the two coordinators learns of
 * it, and clients keep writing through both coordinators, so writes reach the former primary behind
 * the fence of its successor. None of them is acked.
 */
class ReplacedPrimaryHistoriesTest {

  private static final long SECOND = 1_000_000;

  /** In each run: a part of them would say little about most of them. */
  private static final int HISTORIES = 20;

  /** A simulated cluster without random faults. */
  private static final class History {
    final World world;
    final Chaos chaos;
    final Convergence convergence;

    History(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      WorldShape shape = WorldShape.draw(random).withCoordinators(2);
      world = new World(shape, random, mutations, invariants);
      chaos = new Chaos(world);
      convergence = new Convergence(world);
      world.start();
      world.faults().heal();
    }

    void writeFor(long micros) {
      world.clients().plan(world.queue().nowMicros(), micros);
      world.runUntil(world.queue().nowMicros() + micros);
    }

    void await(String what, BooleanSupplier condition) {
      for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
        world.runUntil(world.queue().nowMicros() + SECOND / 10);
      }
      assertThat(condition.getAsBoolean())
          .as("%s; %s, %s%s", what, world.shape(), world.notes(), convergence.lagging())
          .isTrue();
    }

    long term() {
      return world.newestState().shard(World.LEADER).map(ShardRouting::primaryTerm).orElse(-1L);
    }

    void replaceThePrimaryUnnoticed() {
      await(
          "there is a leader and a primary", () -> world.leader() != null && convergence.reached());
      writeFor(SECOND);
      long before = term();
      chaos.cutFromTheClusterTopics(World.LEADER, 10 * SECOND);
      await("the primary is replaced", () -> term() > before);
      writeFor(2 * SECOND);
    }

    void comeTogether() {
      chaos.healAll();
      await("all come together", convergence::reached);
      world.observe(new Observation.Quiet());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void noWriteBehindTheFenceOfTheSuccessorIsAcked(long seed) {
    History history = new History(seed, Set.of(), Invariants.all());
    history.replaceThePrimaryUnnoticed();
    history.comeTogether();
  }

  @Test
  void aPrimaryThatDoesNotCheckItsFenceIsCaughtInMostOfThem() {
    List<Long> caught =
        LongStream.rangeClosed(1, HISTORIES)
            .filter(seed -> isCaught(seed, Mutation.ACK_WITHOUT_FENCE_CHECK))
            .boxed()
            .toList();
    System.out.println("caught at seeds " + caught);
    assertThat(caught).hasSizeGreaterThan(HISTORIES / 2);
  }

  private static boolean isCaught(long seed, Mutation mutation) {
    Invariant invariant = Invariants.named(mutation.caughtBy());
    try {
      new History(seed, Set.of(mutation), List.of(invariant)).replaceThePrimaryUnnoticed();
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals(mutation.caughtBy());
    }
  }
}
