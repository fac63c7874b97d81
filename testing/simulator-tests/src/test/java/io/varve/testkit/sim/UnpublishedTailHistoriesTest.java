package io.varve.testkit.sim;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnpublishedTailHistoriesTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void whatAStrongGetReturnedOutlivesThePrimarysMemoryAndTheUnpublishedEndOfTheLog(long seed) {
    new UnpublishedTailHistory(seed, Set.of(), Invariants.all()).run();
  }
}
