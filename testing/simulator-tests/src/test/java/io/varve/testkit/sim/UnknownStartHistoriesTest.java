package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UnknownStartHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(60);

  @Test
  void aSearchOfACopyThatACoordinatorDidNotKnowShowsWhatItWaitedFor() {
    int held =
        LongStream.rangeClosed(1, HISTORIES)
            .mapToInt(seed -> new UnknownStartHistory(seed, Set.of(), Invariants.all()).run())
            .sum();
    System.out.println(held + " late reports in " + HISTORIES + " histories");
    assertThat(held).isGreaterThan(HISTORIES);
  }
}
