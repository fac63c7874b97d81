package io.varve.testkit.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.testkit.selection.StrategyResults.Window;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Five nodes, five shards with two copies, a hundred clients, 65 % load, and one impaired node,
 * which clients hardly notice. Results are compared with the same cluster without impairment,
 * served by round robin without hedging.
 */
class SickNodeTest {

  private static final int SEEDS = 1;

  /** Round robin depends on which shards happen to be in step, so several runs are combined. */
  private static final int STARTS = 4;

  private static final Window STEADY = new Window(20_000, 80_000);
  private static final StrategyResults HEALTHY =
      NamedStrategy.ROUND_ROBIN.in(Situation.healthy().during(STEADY), SEEDS);

  private static StrategyResults adaptive(Situation situation) {
    return NamedStrategy.ADAPTIVE.in(situation, SEEDS);
  }

  private static void assertNotFelt(StrategyResults stats) {
    assertThat(stats.searchesPerSecond()).isGreaterThan(0.98 * HEALTHY.searchesPerSecond());
    assertThat(stats.latency().p50()).isLessThan(1.1 * HEALTHY.latency().p50());
    assertThat(stats.latency().p90()).isLessThan(1.1 * HEALTHY.latency().p90());
    assertThat(stats.latency().p99()).isLessThan(1.1 * HEALTHY.latency().p99());
    assertThat(extraWork(stats)).isLessThan(0.05);
  }

  private static double extraWork(StrategyResults stats) {
    return stats.extra().hedges() + stats.extra().shadows();
  }

  @ParameterizedTest(name = "×{0}")
  @ValueSource(doubles = {4, 13.5})
  void aSlowNodeIsNotFelt(double factor) {
    assertNotFelt(adaptive(Situation.slow(factor).during(STEADY)));
  }

  @Test
  void aNodeThatStandsStillMostOfEachSecondIsNotFelt() {
    assertNotFelt(adaptive(Situation.stutter().during(STEADY)));
  }

  @ParameterizedTest(name = "{0} coordinators")
  @ValueSource(ints = {3, 25})
  void coordinatorsThatDecideAloneDoNotHerd(int coordinators) {
    Situation alone = Situation.slow(4).during(STEADY);
    double one = adaptive(alone).latency().p99();
    StrategyResults many = adaptive(alone.withCoordinators(coordinators));
    assertThat(many.latency().p99()).isLessThan(1.1 * one);
    assertNotFelt(many);
  }

  @Test
  void aHealthyClusterIsServedAsByTurns() {
    for (Situation situation :
        List.of(
            Situation.healthy().during(STEADY), Situation.healthy().saturated().during(STEADY))) {
      StrategyResults turns = NamedStrategy.ROUND_ROBIN.in(situation, SEEDS);
      StrategyResults adaptive = NamedStrategy.ADAPTIVE_UNHEDGED.in(situation, SEEDS);
      double ratio = adaptive.searchesPerSecond() / turns.searchesPerSecond();
      assertThat(ratio).isCloseTo(1, within(0.02));
      assertThat(adaptive.latency().p50()).isLessThan(1.02 * turns.latency().p50());
      assertThat(adaptive.latency().p99()).isLessThan(1.02 * turns.latency().p99());
      assertThat(adaptive.shareOfSick()).isCloseTo(0.2, within(0.02));
      assertThat(adaptive.extra().shadows()).isLessThan(0.002);
    }
  }

  @Test
  void aNodeThatFallsSickIsAvoidedWithinTwoSeconds() {
    StrategyResults onset = adaptive(Situation.onset());
    assertThat(onset.latency().p99()).isLessThan(1.3 * HEALTHY.latency().p99());
    Window later = new Window(62_000, 70_000);
    assertThat(adaptive(Situation.onset().during(later)).shareOfSick()).isLessThan(0.03);
  }

  @Test
  void aNodeThatRecoversServesAgainWithinSixSeconds() {
    Window afterSix = new Window(66_000, 76_000);
    assertThat(adaptive(Situation.recovery().during(afterSix)).shareOfSick()).isGreaterThan(0.16);
  }

  @Test
  void aNodeRecoversByTimeNotByTheNumberOfSearches() {
    Situation oneClient =
        new Situation(
            "one search a second",
            setup -> setup.withSize(new Setup.Size(5, 16, 5, 1, 1)).withThinkMillis(700),
            Situation.recovery().conditions(),
            new Window(66_000, 96_000));
    assertThat(adaptive(oneClient).shareOfSick()).isGreaterThan(0.16);
  }

  @Test
  void aColdNodeThatJoinsIsNotFlooded() {
    StrategyResults joined = adaptive(Situation.coldStart());
    assertThat(joined.latency().p99()).isLessThan(1.1 * HEALTHY.latency().p99());
    Window warm = new Window(95_000, 115_000);
    assertThat(adaptive(Situation.coldStart().during(warm)).shareOfSick()).isGreaterThan(0.16);
  }

  @Test
  void aNodeThatFailsFastAttractsNothing() {
    StrategyResults failing = adaptive(Situation.failing());
    assertThat(failing.extra().failedFirsts()).isLessThan(0.05);
    assertThat(failing.latency().p99()).isLessThan(1.1 * HEALTHY.latency().p99());
    assertThat(NamedStrategy.C3.in(Situation.failing(), 1).extra().failedFirsts())
        .as("the published strategies send it everything")
        .isGreaterThan(1.9);
  }

  @Test
  void aStopOfASecondIsHedgedAndForgottenASecondLater() {
    StrategyResults stopped = adaptive(Situation.stop());
    assertThat(stopped.latency().p99()).isLessThan(1.1 * HEALTHY.latency().p99());
    Window later = new Window(62_000, 67_000);
    assertThat(adaptive(Situation.stop().during(later)).shareOfSick()).isGreaterThan(0.16);
  }

  @Test
  void whenAllNodesAreSlowHedgesKeepTheirBudgetAndCostNothing() {
    Situation allSlow =
        new Situation(
            "all nodes ×4",
            setup -> setup,
            seed -> Collections.nCopies(5, Condition.slow(4)),
            STEADY);
    StrategyResults hedged = adaptive(allSlow);
    StrategyResults unhedged = NamedStrategy.ADAPTIVE_UNHEDGED.in(allSlow, SEEDS);
    assertThat(extraWork(hedged)).isLessThan(0.05);
    assertThat(hedged.searchesPerSecond()).isGreaterThan(0.98 * unhedged.searchesPerSecond());
  }

  @Test
  void saturatedTheHealthyNodesGiveAllTheyHave() {
    double healthyNodes =
        0.8
            * NamedStrategy.ROUND_ROBIN
                .in(Situation.healthy().saturated().during(STEADY), 1)
                .searchesPerSecond();
    for (double factor : new double[] {2.33, 4, 13.5}) {
      StrategyResults stats = adaptive(Situation.slow(factor).saturated().during(STEADY));
      assertThat(stats.searchesPerSecond()).isGreaterThan(0.98 * healthyNodes);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = NamedStrategy.class,
      names = {"PUBLISHED", "C3", "ES95", "ADAPTIVE"})
  void theSourcesExperimentIsReproduced(NamedStrategy strategy) {
    Situation loaded = Situation.slow(2.33).saturated().during(STEADY);
    StrategyResults turns = NamedStrategy.ROUND_ROBIN.in(loaded, STARTS);
    StrategyResults ranked = strategy.in(loaded, SEEDS);
    assertThat(ranked.searchesPerSecond() / turns.searchesPerSecond()).isBetween(2.0, 2.2);
    assertThat(ranked.latency().p90()).isLessThan(0.6 * turns.latency().p90());
    assertThat(ranked.latency().p99()).isLessThan(0.6 * turns.latency().p99());
  }
}
