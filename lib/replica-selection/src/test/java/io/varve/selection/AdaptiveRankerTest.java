package io.varve.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.selection.NodeView.Seen;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the cost formula of a copy and the limit of nodes that begin. */
class AdaptiveRankerTest {

  private static final long MILLI = 1_000_000;

  @ParameterizedTest(name = "{6}")
  @CsvSource({
    // slowness, workers, in flight, silent ms, expected ms, cost
    "2.0, 4, 0, 0, 20, 2.0, a free worker",
    "2.0, 4, 3, 0, 20, 2.0, the last free worker",
    "2.0, 4, 4, 0, 20, 2.5, one request waits for a worker",
    "2.0, 4, 11, 0, 20, 6.0, eight requests wait for four workers",
    "0.0, 4, 0, 0, 20, 1.0, not measured yet",
    "2.0, 0, 9, 0, 20, 2.0, no workers to wait for",
    "2.0, -1, 9, 0, 20, 2.0, workers that are not known",
    "1.0, 4, 0, 10, 20, 1.5, silent for half of the expected time",
    "1.0, 4, 0, 5, 0, 1.5, silent while no time is expected yet",
  })
  void costsWhatItTakesUntilItIsDone(
      double slowness,
      int workers,
      long inFlight,
      long silentMillis,
      long expectedMillis,
      double cost,
      String name) {
    Seen seen =
        new Seen(
            0,
            inFlight,
            workers,
            slowness,
            16,
            0,
            silentMillis * MILLI,
            true,
            FailureBackOff.State.TRUSTED,
            0);

    assertThat(AdaptiveRanker.cost(seen, inFlight, expectedMillis * MILLI))
        .as(name)
        .isEqualTo(cost);
  }

  @ParameterizedTest(name = "{6}")
  @CsvSource({
    // trust, in flight, heard, slowness, workers, begins
    "3, 3, true, 1.0, 4, false, as many as it is trusted with",
    "3, 4, true, 1.0, 4, true, one more than it is trusted with",
    "15, 16, true, 1.0, 4, true, almost trusted",
    "16, 17, true, 1.0, 4, false, trusted",
    "3, 4, false, 0.0, -1, true, not heard yet",
    "3, 4, true, 0.0, -1, false, publishes nothing",
    "3, 4, true, 0.1, -1, true, publishes its slowness only",
    "3, 4, true, 0.0, 0, true, publishes its workers only",
  })
  void aNodeBeginsWithAsManyRequestsAsItIsTrustedWith(
      int trust,
      long inFlight,
      boolean heard,
      double slowness,
      int workers,
      boolean begins,
      String name) {
    Seen seen =
        new Seen(
            0, inFlight, workers, slowness, trust, 0, 0, heard, FailureBackOff.State.TRUSTED, 0);

    assertThat(AdaptiveRanker.begins(seen, inFlight)).as(name).isEqualTo(begins);
  }
}
