package io.varve.testkit.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.selection.NodeStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slow, failing, stopping and leaving nodes at once: each search is answered exactly once. */
class NothingIsLostTest {

  private static final Situation EVERYTHING_AT_ONCE =
      new Situation(
          "everything at once",
          setup -> setup.withCoordinators(3),
          seed ->
              List.of(
                  Condition.pauses(new RandomStreams(seed).stream("pauses"), 60_000),
                  Condition.HEALTHY,
                  Condition.slowBetween(13.5, 5_000, 20_000),
                  Condition.HEALTHY,
                  seed % 2 == 0
                      ? Condition.failingBetween(10_000, 25_000)
                      : Condition.coldStart(15_000, 5, 10_000)),
          new StrategyResults.Window(0, 30_000));

  @ParameterizedTest
  @EnumSource(NamedStrategy.class)
  void eachSearchIsAnsweredOnceAndNoRequestStaysInTheBooks(NamedStrategy strategy) {
    for (long seed = 1; seed <= 2; seed++) {
      SimulatedRun world = EVERYTHING_AT_ONCE.world(strategy.settings(), seed);
      world.run(30_000);
      Trace trace = world.drain();
      assertThat(trace.answeredSearches()).as("seed %d", seed).isEqualTo(trace.begunSearches());
      assertThat(trace.failedSearches()).as("seed %d", seed).isZero();
      assertThat(world.nodes()).as("seed %d", seed).allMatch(node -> node.inFlight() == 0);
      assertThat(world.coordinators())
          .as("seed %d", seed)
          .flatMap(coordinator -> coordinator.selection().statistics().values())
          .extracting(NodeStatistics::outgoingSearches)
          .containsOnly(0L);
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    StrategyResults one = NamedStrategy.ADAPTIVE.in(EVERYTHING_AT_ONCE, 1);
    assertThat(NamedStrategy.ADAPTIVE.in(EVERYTHING_AT_ONCE, 1)).isEqualTo(one);
  }
}
