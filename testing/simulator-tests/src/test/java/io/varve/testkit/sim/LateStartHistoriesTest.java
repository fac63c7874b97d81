package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LateStartHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(60);

  @Test
  void aReportThatArrivesAfterItsNodeHasJoinedAgainBreaksNothing() {
    int late =
        LongStream.rangeClosed(1, HISTORIES)
            .mapToInt(seed -> new LateStartHistory(seed, Set.of(), Invariants.all()).run())
            .sum();
    System.out.println(late + " late reports in " + HISTORIES + " histories");
    assertThat(late).isGreaterThan(HISTORIES);
  }
}
