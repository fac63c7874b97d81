package io.varve.selection;

import static io.varve.selection.Coordinator.copies;
import static io.varve.selection.Coordinator.ewma;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Adaptive replica selection as in Elasticsearch and OpenSearch, tested through the public API. */
class FormulaSelectionTest {

  private final Coordinator coordinator = Coordinator.ars(Formula.C3);

  @Test
  void withoutStatisticsCopiesTakeTurns() {
    List<String> choices = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      choices.add(coordinator.choice("a", "b"));
    }
    assertThat(Collections.frequency(choices, "a")).isEqualTo(50);
  }

  @Test
  void aCopyWithoutStatisticsIsBeforeAnyOther() {
    coordinator.answer("a", 1, ewma(1, 0));
    for (int i = 0; i < 10; i++) {
      assertThat(coordinator.order("a", "b")).containsExactly("b", "a");
    }
  }

  @Test
  void anAnswerWithoutServiceTimeOrQueueLeavesNoStatistics() {
    coordinator.answer("a", 5, ewma(0, 0));
    coordinator.answer("a", 5, ewma(10, -1));
    coordinator.answer("a", 5, ExecutorReport.NONE);
    assertThat(coordinator.statistics("a").averages()).isEmpty();
  }

  @Test
  void anAnswerThatNeededNoWorkerTellsNothingOfTimes() {
    Coordinator coordinator = Coordinator.ars(Formula.C3);
    coordinator.answer("a", 100, Coordinator.ewma(50, 2));
    double before = coordinator.statistics("a").averages().orElseThrow().rank();

    coordinator.send("a").answered(-1, Coordinator.ewma(50, 0));

    assertThat(coordinator.statistics("a").averages().orElseThrow().rank()).isEqualTo(before);
    assertThat(coordinator.statistics("a").outgoingSearches()).isZero();
  }

  @Test
  void theAnswerOfTheFasterNodeMakesItFirst() {
    coordinator.answer("a", 140, ewma(135, 0));
    coordinator.answer("b", 12, ewma(10, 0));
    assertThat(coordinator.order("a", "b")).containsExactly("b", "a");
  }

  @Test
  void aLoserIsChosenAgainWithoutAnAnswerOfItsOwn() {
    coordinator.answer("a", 100, ewma(100, 0));
    coordinator.answer("b", 1350, ewma(1350, 10));
    for (int i = 0; i < 5; i++) {
      assertThat(coordinator.choice("a", "b")).isEqualTo("a");
    }
    NodeStatistics.Averages loser = coordinator.statistics("b").averages().orElseThrow();
    assertThat(loser.responseTimeNanos() / 1e6).isCloseTo(654.6, within(0.05));
    for (int i = 0; i < 60; i++) {
      coordinator.send("a");
    }
    assertThat(coordinator.choice("a", "b")).isEqualTo("b");
  }

  @Test
  void rankingLeavesTheWinnerAndTheRequestsInFlightAlone() {
    coordinator.answer("a", 10, ewma(10, 1));
    coordinator.answer("b", 90, ewma(90, 1));
    coordinator.send("a");
    NodeStatistics before = coordinator.statistics("a");
    coordinator.order("a", "b");
    assertThat(coordinator.statistics("a")).isEqualTo(before);
    assertThat(coordinator.statistics("b").outgoingSearches()).isZero();
  }

  @Test
  void aSearchOverFiveShardsIsSpreadOverTwoEqualNodes() {
    coordinator.answer("a", 10, ewma(10, 0));
    coordinator.answer("b", 10, ewma(10, 0));
    SearchSelection search = coordinator.search();
    List<String> choices = new ArrayList<>();
    for (int shard = 0; shard < 5; shard++) {
      choices.add(search.order("s" + shard, copies("a", "b")).nodes().getFirst());
    }
    assertThat(Collections.frequency(choices, "a")).isBetween(2, 3);
  }

  @Test
  void aNodeThatLeavesIsForgottenAndTheOthersAreNot() {
    coordinator.answer("a", 10, ewma(10, 0));
    coordinator.answer("b", 10, ewma(10, 0));
    coordinator.selection.retain(java.util.Set.of("b"));
    assertThat(coordinator.selection.statistics()).containsOnlyKeys("b");
    assertThat(coordinator.choice("a", "b")).isEqualTo("a");
  }

  @Test
  void aCopyThatOnlyBeginsIsLastWhateverItsRankAndAdjustsNobody() {
    coordinator.answer("slow", 900, ewma(900, 3));
    coordinator.answer("new", 1, ewma(1, 0));
    Copy beginning = new Copy("new", false, true);
    CopyOrder order = coordinator.search().order("shard", List.of(beginning, Copy.on("slow")));
    assertThat(order.nodes()).containsExactly("slow", "new");
    NodeStatistics.Averages after = coordinator.statistics("slow").averages().orElseThrow();
    assertThat(after.responseTimeNanos()).isEqualTo(900 * Coordinator.MILLI);
  }

  @Test
  void switchedOffItRotatesAndSwitchedOnItKnowsWhatItKnew() {
    coordinator.answer("a", 140, ewma(135, 0));
    coordinator.answer("b", 12, ewma(10, 0));
    SelectionSettings on = coordinator.selection.settings();
    coordinator.selection.settings(on.withAdaptive(false));
    assertThat(coordinator.choice("a", "b")).isNotEqualTo(coordinator.choice("a", "b"));
    coordinator.selection.settings(on);
    assertThat(coordinator.choice("a", "b")).isEqualTo("b");
    assertThat(coordinator.choice("a", "b")).isEqualTo("b");
  }

  @Test
  void aSingleCopyChangesNothing() {
    coordinator.answer("a", 10, ewma(10, 0));
    NodeStatistics before = coordinator.statistics("a");
    assertThat(coordinator.order("a")).containsExactly("a");
    assertThat(coordinator.statistics("a")).isEqualTo(before);
  }

  @Test
  void aNodeWithOpenRequestsOnlyHasNoAverages() {
    coordinator.send("a");
    assertThat(coordinator.statistics("a").outgoingSearches()).isEqualTo(1);
    assertThat(coordinator.statistics("a").averages()).isEmpty();
  }

  @Test
  void withoutAQueueTheRankIsTheResponseTime() {
    Attempt attempt = coordinator.send("a");
    coordinator.clock.advanceMillis(9);
    attempt.answered(1, new ExecutorReport(0, 0, 16, 7_896_963, ExecutorReport.Slowness.UNKNOWN));
    double rank = coordinator.statistics("a").averages().orElseThrow().rank();
    assertThat(String.format(Locale.ROOT, "%.1f", rank)).isEqualTo("9.0");
  }

  @Test
  void everyEndOfARequestReturnsItsPlaceExactlyOnce() {
    for (Failure failure : Failure.values()) {
      Attempt attempt = coordinator.send("a");
      attempt.failed(failure);
      attempt.answered(1, ewma(1, 0));
      attempt.failed(failure);
    }
    assertThat(coordinator.statistics("a").outgoingSearches()).isZero();
    assertThat(coordinator.statistics("a").averages()).isEmpty();
  }
}
