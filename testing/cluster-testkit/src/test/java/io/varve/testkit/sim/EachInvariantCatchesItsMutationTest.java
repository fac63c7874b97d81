package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mutation checks: each rule is broken on purpose, and the invariant that guards it must notice
 * within a bounded number of histories. An invariant that misses its mutation is useless.
 */
class EachInvariantCatchesItsMutationTest {

  private static final int HISTORIES = 300;

  /**
   * A change of the simulator can change which seed is caught, so some seeds after the known one
   * are tried too.
   */
  private static final int HISTORIES_FROM_A_KNOWN_SEED = 20;

  /** First seeds for mutations that are caught late; 1 for all others. */
  private static final Map<Mutation, Long> KNOWN_SEEDS =
      Map.of(
          Mutation.ACK_WITHOUT_FENCE_CHECK, 201L,
          Mutation.INSTALL_OLDER_MANIFESTS, 81L,
          Mutation.START_WITHOUT_A_SOURCE, 68L,
          Mutation.FORGET_A_LOST_MANIFEST, 41L,
          Mutation.PROMOTE_A_SEARCH_COPY, 123L);

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void fromAKnownSeed(Mutation mutation) {
    long first = KNOWN_SEEDS.getOrDefault(mutation, 1L);
    assertThat(caught(mutation, first, HISTORIES_FROM_A_KNOWN_SEED))
        .as("seed from %d on that %s catches %s at", first, mutation.caughtBy(), mutation)
        .isPresent();
  }

  @ParameterizedTest
  @EnumSource(Mutation.class)
  @Tag("nightly")
  void withinSomeHistories(Mutation mutation) {
    OptionalLong seed = caught(mutation, 1, HISTORIES);
    System.out.println(mutation + " is caught by " + mutation.caughtBy() + " at seed " + seed);
    assertThat(seed)
        .as("seed up to %d that %s catches %s at", HISTORIES, mutation.caughtBy(), mutation)
        .isPresent();
  }

  private static OptionalLong caught(Mutation mutation, long first, int histories) {
    return LongStream.range(first, first + histories)
        .filter(seed -> isCaught(seed, mutation))
        .findFirst();
  }

  private static boolean isCaught(long seed, Mutation mutation) {
    try {
      Simulation.runMutated(seed, mutation);
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals(mutation.caughtBy());
    } catch (AssertionError e) {
      // The mutation made the history fail before the invariant could notice.
      return false;
    }
  }
}
