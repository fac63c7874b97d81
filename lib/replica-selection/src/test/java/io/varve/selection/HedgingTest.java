package io.varve.selection;

import static io.varve.selection.Coordinator.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.selection.SelectionSettings.Hedging;
import java.util.List;
import org.junit.jupiter.api.Test;

class HedgingTest {

  private final Coordinator coordinator = Coordinator.adaptive();

  /**
   * Sends requests that are answered after 1 to 100 ms although they are expected to take 100 ms.
   */
  private void warmUp() {
    for (int i = 0; i < 1000; i++) {
      coordinator.answer(i % 2 == 0 ? "a" : "b", i % 100 + 1, report(1, 0));
    }
  }

  @Test
  void theLongestDelayHoldsBeforeEnoughAnswersAreKnown() {
    assertThat(coordinator.search().hedgeDelayNanos("shard"))
        .hasValue(SelectionSettings.DEFAULTS.hedging().maxDelayNanos());
  }

  @Test
  void theDelayIsThePercentileOfRecentAnswers() {
    warmUp();
    long delay = coordinator.search().hedgeDelayNanos("shard").orElseThrow();
    assertThat(delay).isBetween(96 * Coordinator.MILLI, 100 * Coordinator.MILLI);
  }

  @Test
  void theDelayIsNoLongerThanTheLimit() {
    warmUp();
    Hedging short50 = new Hedging(true, 0.98, 50 * Coordinator.MILLI, 0.05);
    coordinator.selection.settings(SelectionSettings.DEFAULTS.with(short50));
    assertThat(coordinator.search().hedgeDelayNanos("shard")).hasValue(50 * Coordinator.MILLI);
  }

  @Test
  void eachHedgeTakesFromABudgetThatRequestsFill() {
    warmUp();
    int granted = 0;
    for (int i = 0; i < 1000; i++) {
      SearchSelection search = coordinator.search();
      Attempt first = search.sent("shard", "a", Purpose.FIRST);
      granted += search.hedge("a", List.of("b")).isPresent() ? 1 : 0;
      first.failed(Failure.ABANDONED);
    }
    assertThat(granted).isBetween(48, 50);
  }

  @Test
  void noHedgeGoesToANodeThatIsSlowerOrRests() {
    warmUp();
    coordinator.answer("b", 1, report(2, 0));
    assertThat(coordinator.search().hedge("a", List.of("b"))).isEmpty();
    coordinator.answer("b", 1, report(1, 0));
    assertThat(coordinator.search().hedge("a", List.of("b"))).contains("b");
    coordinator.fail("b", Failure.ERROR);
    assertThat(coordinator.search().hedge("a", List.of("b"))).isEmpty();
    assertThat(coordinator.search().hedge("a", List.of())).isEmpty();
  }

  @Test
  void anAnswerThatSaysNothingOfItsNodeLeavesWhatTheNodeSaidBefore() {
    warmUp();
    coordinator.answer("b", 1, report(2, 0));
    coordinator.answer("b", 1, ExecutorReport.NONE);
    assertThat(coordinator.search().hedge("a", List.of("b"))).as("still slower").isEmpty();
  }

  @Test
  void switchedOffNothingIsHedged() {
    warmUp();
    coordinator.selection.settings(SelectionSettings.DEFAULTS.with(Hedging.off()));
    assertThat(coordinator.search().hedgeDelayNanos("shard")).isEmpty();
    assertThat(coordinator.search().hedge("a", List.of("b"))).isEmpty();
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatThrownBy(() -> new Hedging(true, 1, 1, 0.05)).hasMessageContaining("percentile is 1");
    assertThatThrownBy(() -> new Hedging(true, 0.98, 0, 0.05)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new Hedging(true, 0.98, 1, 1.5)).hasMessageContaining("budget is 1.5");
  }

  @Test
  void theDefaultsAreThoseOfTheDocumentation() {
    assertThat(SelectionSettings.DEFAULTS)
        .isEqualTo(
            new SelectionSettings(
                Strategy.ADAPTIVE,
                Formula.C3,
                true,
                new Hedging(true, 0.98, 5_000_000_000L, 0.05)));
  }
}
