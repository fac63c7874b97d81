package io.varve.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the smoothing of answers and the adjustment of losers towards the winner. Times are in
 * milliseconds.
 */
class PublishedStatsTest {

  private static PublishedStats stats(int queue, double response, double service) {
    PublishedStats stats = new PublishedStats();
    stats.add(queue, response * 1e6, service * 1e6);
    return stats;
  }

  @Test
  void theFirstAnswerBeginsTheAveragesAndTheNextIsSmoothed() {
    PublishedStats stats = stats(10, 100, 50);
    assertThat(stats.seen()).isEqualTo(new PublishedStats.Seen(10, 100e6, 50e6));
    stats.add(0, 200e6, 80e6);
    assertThat(stats.queueAverage()).isCloseTo(7, within(1e-9));
    assertThat(stats.seen().responseNanos()).isCloseTo(130e6, within(1e-6));
    assertThat(stats.seen().serviceNanos()).isEqualTo(80e6);
  }

  @ParameterizedTest(name = "after {0} rankings R is {1}, q {2}, S of the published form {3}")
  @CsvSource({
    "1, 1162.5, 8.5, 725",
    "2, 1003.1, 7.15, 412.5",
    "3, 867.7, 5.905, 256.2",
    "5, 654.6, 3.913, 139.1",
    "10, 346.1, 0.980, 101.2",
    "20, 148.4, 0.028, 100.0",
  })
  void aLoserIsDrawnToTheWinner(int rankings, double response, double queue, double published) {
    PublishedStats winner = stats(0, 100, 100);
    PublishedStats loser = stats(10, 1350, 1350);
    PublishedStats loserPublished = stats(10, 1350, 1350);
    for (int i = 0; i < rankings; i++) {
      loser.adjust(winner.seen(), loser.seen(), Formula.C3);
      loserPublished.adjust(winner.seen(), loserPublished.seen(), Formula.PUBLISHED);
    }
    assertThat(loser.seen().responseNanos() / 1e6).isCloseTo(response, within(0.05));
    assertThat(loser.seen().serviceNanos() / 1e6).isCloseTo(response, within(0.05));
    assertThat(loser.queueAverage()).isCloseTo(queue, within(0.0005));
    assertThat(loserPublished.seen().serviceNanos() / 1e6).isCloseTo(published, within(0.05));
    assertThat(winner.seen()).isEqualTo(new PublishedStats.Seen(0, 100e6, 100e6));
  }

  @Test
  void theGapShrinksByFifteenPercentEachTimeAndIsNeverCrossed() {
    PublishedStats winner = stats(0, 100, 100);
    PublishedStats loser = stats(0, 1350, 1350);
    double gap = 1250e6;
    for (int i = 0; i < 20; i++) {
      loser.adjust(winner.seen(), loser.seen(), Formula.ES95);
      gap *= 0.85;
      assertThat(loser.seen().serviceNanos() - 100e6).isCloseTo(gap, within(1e-3));
    }
  }

  @Test
  void queuesMeetHalfWayInWholeNumbersBeforeTheyAreSmoothed() {
    PublishedStats winner = stats(10, 1, 1);
    PublishedStats loser = stats(18, 1, 1);
    loser.adjust(winner.seen(), loser.seen(), Formula.C3);
    assertThat(loser.queueAverage()).isCloseTo(16.8, within(1e-9));
  }
}
