package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The mutation checks: each rule is broken on purpose, and the invariant that guards it must notice
 * within a bounded number of histories. An invariant that lets its mutation pass guards nothing.
 */
class EachInvariantCatchesItsMutationTest {

  private static final int HISTORIES = 3_000;

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void withinSomeHistories(Mutation mutation) {
    long caught =
        LongStream.rangeClosed(1, HISTORIES)
            .filter(seed -> isCaught(seed, mutation))
            .findFirst()
            .orElse(-1);
    System.out.println(mutation + " is caught by " + mutation.caughtBy() + " at seed " + caught);
    assertThat(caught).as("%s caught by %s", mutation, mutation.caughtBy()).isPositive();
  }

  private static boolean isCaught(long seed, Mutation mutation) {
    try {
      Simulation.runMutated(seed, mutation);
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals(mutation.caughtBy());
    } catch (AssertionError e) {
      // The broken rule broke the world before the invariant could see it.
      return false;
    }
  }
}
