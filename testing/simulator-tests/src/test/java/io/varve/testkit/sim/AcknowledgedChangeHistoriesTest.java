package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AcknowledgedChangeHistoriesTest {

  private static final int HISTORIES = Histories.inThisRun(60);

  @Test
  void aRequestToAnyCoordinatorKnowsWhatAnotherOneAcknowledged() {
    int acknowledged =
        LongStream.rangeClosed(1, HISTORIES)
            .mapToInt(seed -> new AcknowledgedChangeHistory(seed, Set.of(), Invariants.all()).run())
            .sum();
    System.out.println(acknowledged + " changes acknowledged in " + HISTORIES + " histories");
    assertThat(acknowledged).isGreaterThan(10 * HISTORIES);
  }
}
