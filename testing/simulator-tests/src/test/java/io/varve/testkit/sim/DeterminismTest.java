package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeterminismTest {

  @Test
  void aSeedTellsTheSameHistoryEachTime() {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(Simulation.run(seed)).isEqualTo(Simulation.run(seed));
    }
  }

  @Test
  void everyInvariantHasAMutation() {
    List<String> guarded = Arrays.stream(Mutation.values()).map(Mutation::caughtBy).toList();
    assertThat(Invariants.all()).allSatisfy(i -> assertThat(guarded).contains(i.name()));
  }
}
