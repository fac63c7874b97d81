package io.varve.testkit.sim;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No member leaves because the log, or a part of it, was unavailable. */
class LogOutageHistoriesTest {

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Histories.inThisRun(100));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void timeWithoutTheLogRemovesNoMember(long seed) {
    new LogOutageHistory(seed, Set.of(), Invariants.all()).run();
  }
}
