package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mutation checks: each rule is broken on purpose, and the invariant that guards it must notice
 * within a bounded number of histories. An invariant that misses its mutation is useless.
 */
class EachInvariantCatchesItsMutationTest {

  private static final int HISTORIES = 300;

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void withinSomeHistories(Mutation mutation) {
    OptionalLong seed = firstCaught(mutation);
    System.out.println(mutation + " is caught by " + mutation.caughtBy() + " at seed " + seed);
    assertThat(seed)
        .as("seed up to %d that %s catches %s at", HISTORIES, mutation.caughtBy(), mutation)
        .isPresent();
  }

  private static OptionalLong firstCaught(Mutation mutation) {
    return LongStream.rangeClosed(1, HISTORIES)
        .filter(seed -> isCaught(seed, mutation))
        .findFirst();
  }

  private static void run(long seed, Mutation mutation) {
    if (mutation.isOfFailbacks()) {
      List<Invariant> guard = List.of(Invariants.named(mutation.caughtBy()));
      new FailbackHistory(seed, Set.of(mutation), guard).run();
    } else {
      Simulation.runMutated(seed, mutation);
    }
  }

  private static boolean isCaught(long seed, Mutation mutation) {
    try {
      run(seed, mutation);
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals(mutation.caughtBy());
    } catch (AssertionError e) {
      // The mutation made the history fail before the invariant could notice.
      return false;
    }
  }
}
