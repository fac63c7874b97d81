package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunStatsTest {

  @Test
  void theMedianIsInTheMiddleWhateverTheOrder() {
    assertThat(RunStats.median(List.of(9.0, 1.0, 2.0), run -> run)).isEqualTo(2);
    assertThat(RunStats.median(List.of(4.0, 100.0, 1.0, 2.0), run -> run)).isEqualTo(3);
    assertThat(RunStats.median(List.of(7.0), run -> run)).isEqualTo(7);
  }

  @Test
  void aMedianIsPrintedWithItsRange() {
    assertThat(RunStats.medianAndRange(List.of(12345.06, 2.0, 1.25), run -> run, 1))
        .isEqualTo("2.0 (1.3-12345.1)");
  }

  @Test
  void aRatioIsOfTwoRunsOfTheSameRoundAndItsMedianIsOverTheRounds() {
    List<Double> ours = List.of(10.0, 90.0, 60.0);
    List<Double> peers = List.of(20.0, 30.0, 40.0);

    // The ratios are 0.5, 3 and 1.5; the ratio of the medians would be 2.
    assertThat(RunStats.pairedRatio(ours, peers, run -> run)).isEqualTo("1.50 (0.50-3.00)");
  }

  @Test
  void anEvenNumberOfRoundsHasItsMedianBetweenTwo() {
    assertThat(RunStats.pairedRatio(List.of(1.0, 3.0), List.of(1.0, 1.0), run -> run))
        .isEqualTo("2.00 (1.00-3.00)");
  }

  @Test
  void aRoundThatOneOfThemLacksIsLeftOut() {
    assertThat(RunStats.pairedRatio(List.of(2.0, 50.0), List.of(1.0), run -> run))
        .isEqualTo("2.00 (2.00-2.00)");
  }

  @Test
  void thereIsNoRatioWithoutAPeerNorToOneself() {
    List<Double> runs = List.of(1.0);
    assertThat(RunStats.pairedRatio(runs, null, run -> run)).isEmpty();
    assertThat(RunStats.pairedRatio(runs, runs, run -> run)).isEmpty();
  }
}
