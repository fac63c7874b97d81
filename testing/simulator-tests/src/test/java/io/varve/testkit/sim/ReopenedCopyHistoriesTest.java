package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReopenedCopyHistoriesTest {

  /** Seeds 3, 4, 8 and 9 are red if reports count for a copy that was opened again since then. */
  private static final int HISTORIES = Math.max(10, Histories.inThisRun(40));

  @Test
  void whatACopyReportedBeforeItWasOpenedAgainDoesNotCount() {
    long reopened =
        LongStream.rangeClosed(1, HISTORIES)
            .filter(seed -> new ReopenedCopyHistory(seed, Set.of(), Invariants.all()).run())
            .count();
    System.out.println(reopened + " copies were opened again without what they had reported");
    assertThat(reopened).isGreaterThanOrEqualTo(HISTORIES / 4);
  }
}
