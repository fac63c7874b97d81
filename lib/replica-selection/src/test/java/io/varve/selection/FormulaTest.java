package io.varve.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Worked examples of the three formulas. Times are in milliseconds. */
class FormulaTest {

  private static final Offset<Double> EXACT = within(1e-9);

  private static double rank(
      Formula formula, double response, double service, double queue, long outstanding, int nodes) {
    return formula.rank(response * 1e6, service * 1e6, queue, outstanding, nodes);
  }

  @ParameterizedTest(name = "{0}: R {1}, S {2}, q {3}, os {4}, n {5} is {6}")
  @CsvSource({
    "C3,   150, 100, 0, 0, 5, 150",
    "ES95, 150, 100, 0, 0, 5, 100",
    "C3,    20,  19, 0, 0, 5, 20",
    "ES95,  20,  19, 0, 0, 5, 19",
    "C3,   100,  10, 1, 1, 1, 360",
    "ES95, 100,  10, 1, 1, 1, 270",
    "C3,    12,  10, 0, 2, 5, 13312",
    "C3,   140, 135, 0, 2, 5, 179690",
    "ES95,  12,  10, 0, 2, 5, 13310",
    "ES95, 140, 135, 0, 2, 5, 179685",
    "C3,    12,  10, 0, 3, 5, 40962",
    "C3,   140, 135, 0, 3, 5, 552965",
    "PUBLISHED, 12, 10, 0, 2, 5, 145",
    "PUBLISHED, 12, 10, 0, 3, 5, 421.5",
    "C3, 9.095598, 7.896963, 0, 0, 1, 9.095598",
  })
  void ranksAsWorkedByHand(
      Formula formula,
      double response,
      double service,
      double queue,
      long outstanding,
      int nodes,
      double expected) {
    assertThat(rank(formula, response, service, queue, outstanding, nodes))
        .isCloseTo(expected, EXACT);
  }

  @Test
  void thePublishedFormPrefersTheSlowerNodeFromThreeOutstandingOn() {
    double slowAtTwo = rank(Formula.PUBLISHED, 140, 135, 0, 2, 5);
    double slowAtThree = rank(Formula.PUBLISHED, 140, 135, 0, 3, 5);
    assertThat(slowAtTwo).isCloseTo(140 + 1330.0 / 135, EXACT);
    assertThat(slowAtThree).isCloseTo(140 + 4095.0 / 135, EXACT);
    assertThat(slowAtTwo).isGreaterThan(rank(Formula.PUBLISHED, 12, 10, 0, 2, 5));
    assertThat(slowAtThree).isLessThan(rank(Formula.PUBLISHED, 12, 10, 0, 3, 5));
  }

  @ParameterizedTest(name = "a node {0} times slower ties at a queue of {1}")
  @CsvSource({"2.33, 38.5", "4, 32.1", "13.5, 21.4"})
  void theCubeGivesSlowNodesWork(double factor, double queue) {
    double fast = rank(Formula.ES95, 100, 100, 0, 10, 5);
    double tie = Math.cbrt(fast / (100 * factor));
    assertThat(tie).isCloseTo(queue, within(0.05));
  }

  @Test
  void manyNodesMakeOneOwnRequestOutweighAHundredQueued() {
    double ownRequest = rank(Formula.C3, 10, 10, 0, 1, 100);
    double queued = rank(Formula.C3, 10, 10, 50, 0, 100);
    assertThat(ownRequest).isCloseTo(Math.pow(101, 3) * 10, within(1e-6));
    assertThat(queued).isCloseTo(Math.pow(51, 3) * 10, within(1e-6)).isLessThan(ownRequest);
  }

  @Test
  void aFractionOfAQueuedRequestCountsAsNone() {
    assertThat(rank(Formula.C3, 10, 10, 0.99, 0, 5)).isEqualTo(rank(Formula.C3, 10, 10, 0, 0, 5));
  }

  @ParameterizedTest
  @EnumSource(
      value = Formula.class,
      names = {"C3", "ES95"})
  void growsWithServiceTimeQueueAndOutstanding(Formula formula) {
    double base = rank(formula, 20, 10, 3, 2, 5);
    assertThat(rank(formula, 20, 11, 3, 2, 5)).isGreaterThan(base);
    assertThat(rank(formula, 20, 10, 4, 2, 5)).isGreaterThan(base);
    assertThat(rank(formula, 20, 10, 3, 3, 5)).isGreaterThan(base);
  }

  @Test
  void onlyOneFormKnowsTheResponseTimeWithoutAQueue() {
    assertThat(rank(Formula.C3, 30, 10, 3, 2, 5)).isGreaterThan(rank(Formula.C3, 20, 10, 3, 2, 5));
    assertThat(rank(Formula.ES95, 30, 10, 3, 2, 5)).isEqualTo(rank(Formula.ES95, 20, 10, 3, 2, 5));
  }

  @ParameterizedTest
  @EnumSource(Formula.class)
  void staysFiniteAtTheEdges(Formula formula) {
    assertThat(rank(formula, 1, 1e-6, Integer.MAX_VALUE, 1_000_000, 1_000)).isFinite();
    assertThat(rank(formula, 1e9, 1e9, Integer.MAX_VALUE, 1_000_000, 1_000)).isFinite();
  }

  @Test
  void isNamedInSettingsAndRefusesOtherNames() {
    assertThat(Formula.of("es95")).isEqualTo(Formula.ES95);
    assertThat(Strategy.of("least_outstanding")).isEqualTo(Strategy.LEAST_OUTSTANDING);
    assertThatThrownBy(() -> Formula.of("c4"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[c4] is none of [published, c3, es95]");
  }
}
