package io.varve.selection;

import static io.varve.selection.Coordinator.copies;
import static io.varve.selection.Coordinator.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the adaptive strategy: expected completion time, back-off, slow start, shadows and probes.
 */
class AdaptiveSelectionTest {

  private final Coordinator coordinator = Coordinator.adaptive();

  @ParameterizedTest(name = "with {0} on the fast node and none on one four times slower: {1}")
  @CsvSource({"20, fast, 1.3125", "41, fast, 2.625", "42, slow, 2.6875"})
  void aSlowNodeGetsWorkWhenTheFastOneIsThatFull(int inFlight, String chosen, double cost) {
    coordinator.answer("slow", 1, report(4, 0));
    coordinator.answer("fast", 1, report(1, inFlight));
    assertThat(coordinator.choice("fast", "slow")).isEqualTo(chosen);
    assertThat(coordinator.choice("slow", "fast")).isEqualTo(chosen);
    assertThat(coordinator.statistics("fast").adaptive().cost()).isCloseTo(cost, within(1e-9));
  }

  @Test
  void requestsThatWorkersExecuteAreNoQueue() {
    coordinator.answer("busy", 1, report(1, 15));
    coordinator.answer("slower", 1, report(1.6, 0));
    assertThat(coordinator.choice("slower", "busy")).isEqualTo("busy");
  }

  @Test
  void amongEqualsTheOneWithFewestRequestsIsFirst() {
    coordinator.answer("a", 1, report(1, 5));
    coordinator.answer("b", 1, report(1.4, 4));
    assertThat(coordinator.choice("a", "b")).isEqualTo("b");
  }

  @Test
  void aBurstIsHalvedBetweenTwoEqualCopies() {
    coordinator.answer("a", 1, report(1, 0));
    coordinator.answer("b", 1, report(1, 0));
    List<String> choices = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      SearchSelection search = coordinator.search();
      for (int shard = 0; shard < 5; shard++) {
        String node = search.order("s" + shard, copies("a", "b")).nodes().getFirst();
        search.sent("shard", node, Purpose.FIRST);
        choices.add(node);
      }
    }
    assertThat(Collections.frequency(choices, "a")).isBetween(249, 251);
  }

  @Test
  void aSearchSpreadsBeforeAnyOfItsRequestsIsSent() {
    coordinator.answer("a", 1, report(1, 0));
    coordinator.answer("b", 1, report(1, 0));
    SearchSelection search = coordinator.search();
    List<String> choices = new ArrayList<>();
    for (int shard = 0; shard < 10; shard++) {
      choices.add(search.order("s" + shard, copies("a", "b")).nodes().getFirst());
    }
    assertThat(Collections.frequency(choices, "a")).isEqualTo(5);
  }

  @Test
  void anUnknownNodeHoldsOneRequestUntilItAnswers() {
    coordinator.answer("known", 1, report(1, 10));
    coordinator.send("new");
    for (int i = 0; i < 20; i++) {
      assertThat(coordinator.choice("known", "new")).isEqualTo("known");
    }
  }

  @Test
  void anOldNodeThatSaysNothingIsRankedByOwnRequests() {
    coordinator.answer("old", 1, ExecutorReport.NONE);
    coordinator.answer("known", 1, report(1, 0));
    coordinator.send("known");
    assertThat(coordinator.choice("known", "old")).isEqualTo("old");
    coordinator.send("old");
    coordinator.send("old");
    assertThat(coordinator.choice("known", "old")).isEqualTo("known");
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.class,
      names = {"ERROR", "REJECTED", "TIMED_OUT", "UNREACHABLE"})
  void aFailingNodeIsLastForAWhile(Failure failure) {
    bothKnown();
    coordinator.fail("a", failure);
    assertThat(coordinator.order("a", "b")).containsExactly("b", "a");
    assertThat(coordinator.statistics("a").adaptive().backOffNanos())
        .isEqualTo(100 * Coordinator.MILLI);
  }

  @ParameterizedTest
  @EnumSource(
      value = Failure.class,
      names = {"BAD_REQUEST", "LOST", "ABANDONED"})
  void whatIsNotTheNodesFaultLeavesItInPlace(Failure failure) {
    bothKnown();
    coordinator.fail("a", failure);
    assertThat(coordinator.statistics("a").adaptive().backOffNanos()).isZero();
  }

  @Test
  void aFailureNeverLowersTheCost() {
    coordinator.answer("a", 1, report(4, 0));
    double before = coordinator.statistics("a").adaptive().cost();
    for (Failure failure : Failure.values()) {
      coordinator.fail("a", failure);
    }
    assertThat(coordinator.statistics("a").adaptive().cost()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void afterItsRestANodeIsTriedByOneShadowAndThenServes() {
    bothKnown();
    coordinator.busyBefore();
    coordinator.fail("a", Failure.ERROR);
    coordinator.clock.advanceMillis(300);
    SearchSelection search = coordinator.search();
    CopyOrder first = search.order("shard", copies("a", "b"));
    assertThat(first.nodes()).containsExactly("b", "a");
    assertThat(first.shadow()).contains("a");
    Attempt shadow = search.sent("shard", "a", Purpose.SHADOW);
    assertThat(coordinator.search().order("shard", copies("a", "b")).shadow()).isEmpty();
    shadow.answered(100 * Coordinator.MILLI, report(1, 0));
    coordinator.send("b");
    assertThat(coordinator.choice("a", "b")).isEqualTo("a");
  }

  @Test
  void requestsThatFailTogetherAreOneFailure() {
    bothKnown();
    List<Attempt> underWay = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      underWay.add(coordinator.send("a"));
    }
    coordinator.clock.advanceMillis(1);
    underWay.forEach(attempt -> attempt.failed(Failure.ERROR));
    assertThat(coordinator.statistics("a").adaptive().backOffNanos())
        .isEqualTo(100 * Coordinator.MILLI);
  }

  @Test
  void eachFurtherFailureDoublesTheRestUpToThreeSeconds() {
    bothKnown();
    long expected = 100;
    for (int i = 0; i < 10; i++) {
      coordinator.fail("a", Failure.ERROR);
      assertThat(coordinator.statistics("a").adaptive().backOffNanos())
          .isEqualTo(expected * Coordinator.MILLI);
      coordinator.clock.advanceMillis(1);
      expected = Math.min(3_200, 2 * expected);
    }
  }

  @Test
  void aNodeThatFailedAgainAndAgainIsTriedByShadowsForASecondBeforeItServes() {
    bothKnown();
    coordinator.busyBefore();
    for (int i = 0; i < 3; i++) {
      coordinator.fail("a", Failure.ERROR);
      coordinator.clock.advanceMillis(1);
    }
    coordinator.clock.advanceMillis(400);
    for (int i = 0; i < 4; i++) {
      SearchSelection search = coordinator.search();
      assertThat(search.order("shard", copies("a", "b")).nodes()).containsExactly("b", "a");
      search.sent("shard", "a", Purpose.SHADOW).answered(Coordinator.MILLI, report(1, 0));
      coordinator.clock.advanceMillis(300);
    }
    search("a");
    coordinator.send("b");
    assertThat(coordinator.choice("a", "b")).isEqualTo("a");
  }

  private void search(String node) {
    coordinator.answer(node, 1, report(1, 0));
  }

  @Test
  void aSlowNodeIsShadowedWhenItsStatisticsAreOldAndItIsIdle() {
    coordinator.busyBefore();
    coordinator.answer("slow", 1, report(10, 0));
    coordinator.answer("fast", 1, report(1, 0));
    assertThat(coordinator.search().order("shard", copies("slow", "fast")).shadow()).isEmpty();
    coordinator.clock.advanceMillis(251);
    CopyOrder order = coordinator.search().order("shard", copies("slow", "fast"));
    assertThat(order)
        .isEqualTo(new CopyOrder(List.of("fast", "slow"), java.util.Optional.of("slow")));
  }

  @Test
  void equalCopiesAreNeverShadowed() {
    bothKnown();
    coordinator.clock.advanceMillis(10_000);
    assertThat(coordinator.search().order("shard", copies("a", "b")).shadow()).isEmpty();
  }

  @Test
  void aNodeThatLeavesAProbeUnansweredIsAvoidedUntilItSpeaks() {
    bothKnown();
    coordinator.clock.advanceMillis(100);
    List<Probe> probes = coordinator.selection.probesDue();
    assertThat(probes).extracting(Probe::node).containsExactlyInAnyOrder("a", "b");
    assertThat(coordinator.selection.probesDue()).isEmpty();
    answerProbe(probes, "b", report(1, 0));
    coordinator.waitAwake(200);
    coordinator.send("b");
    assertThat(coordinator.choice("a", "b")).isEqualTo("b");
    answerProbe(probes, "a", report(1, 0));
    assertThat(coordinator.statistics("a").adaptive().backOffNanos()).isPositive();
  }

  @Test
  void aNodeThatStandsStillAgainAndAgainRestsLonger() {
    bothKnown();
    long rest = 0;
    for (int i = 0; i < 4; i++) {
      coordinator.search();
      coordinator.clock.advanceMillis(100);
      List<Probe> probes = coordinator.selection.probesDue();
      answerProbe(probes, "b", report(1, 0));
      coordinator.waitAwake(400);
      answerProbe(probes, "a", report(1, 0));
      long now = coordinator.statistics("a").adaptive().backOffNanos();
      assertThat(now).isGreaterThan(rest);
      rest = now;
    }
  }

  @Test
  void aNodeThatStoodStillIsRememberedThoughASearchIsAnsweredBeforeTheProbe() {
    bothKnown();
    coordinator.search();
    coordinator.clock.advanceMillis(100);
    Attempt search = coordinator.send("a");
    List<Probe> probes = coordinator.selection.probesDue();
    answerProbe(probes, "b", report(1, 0));
    coordinator.waitAwake(400);

    search.answered(Coordinator.MILLI, report(1, 0));
    long rest = coordinator.statistics("a").adaptive().backOffNanos();
    answerProbe(probes, "a", report(1, 0));

    assertThat(rest).isPositive();
    assertThat(coordinator.statistics("a").adaptive().backOffNanos())
        .as("one stop counts once")
        .isEqualTo(rest);
  }

  @Test
  void aPauseOfTheCoordinatorIsNobodysSilence() {
    bothKnown();
    coordinator.waitAwake(100);
    coordinator.clock.advanceMillis(1_000);
    coordinator.answer("b", 1, report(1, 1));
    assertThat(coordinator.choice("a", "b")).isEqualTo("a");
  }

  @Test
  void probesThatAreSlowOnAllNodesMakeItPatient() {
    ProbeTimeout probeTimeout = new ProbeTimeout();
    for (int i = 0; i < 30; i++) {
      probeTimeout.answeredAfter(90 * Coordinator.MILLI);
    }
    assertThat(probeTimeout.nanos()).isGreaterThan(85 * Coordinator.MILLI);
    for (int i = 0; i < 60; i++) {
      probeTimeout.answeredAfter(Coordinator.MILLI);
    }
    assertThat(probeTimeout.nanos()).isEqualTo(50 * Coordinator.MILLI);
  }

  private static void answerProbe(List<Probe> probes, String node, ExecutorReport report) {
    probes.stream().filter(p -> p.node().equals(node)).forEach(p -> p.answered(report));
  }

  @Test
  void nobodyIsProbedWhileNobodySearches() {
    bothKnown();
    coordinator.clock.advanceMillis(2_000);
    assertThat(coordinator.selection.probesDue()).isEmpty();
    coordinator.search();
    assertThat(coordinator.selection.probesDue()).hasSize(2);
  }

  @Test
  void theNearCopyWinsUnlessItIsClearlySlower() {
    List<Copy> copies = List.of(new Copy("far", true, false), new Copy("near", true, true));
    coordinator.answer("far", 1, report(1, 0));
    coordinator.answer("near", 1, report(1.4, 9));
    assertThat(coordinator.search().order("shard", copies).nodes().getFirst()).isEqualTo("near");
    coordinator.answer("near", 1, report(1.6, 0));
    assertThat(coordinator.search().order("shard", copies).nodes().getFirst()).isEqualTo("far");
  }

  @Test
  void aLargeShardDoesNotMakeANodeSlow() {
    SearchLoad both = new SearchLoad(Coordinator.WORKERS, coordinator.clock);
    SearchLoad largeOnly = new SearchLoad(Coordinator.WORKERS, coordinator.clock);
    for (int i = 0; i < 20; i++) {
      exchange("kind", "small", "a", 10, both);
      exchange("kind", "large", "a", 100, both);
      exchange("kind", "large", "b", 100, largeOnly);
    }
    assertThat(coordinator.statistics("a").adaptive().slowness()).isCloseTo(1, within(0.1));
    assertThat(coordinator.statistics("b").adaptive().slowness()).isCloseTo(1, within(0.1));
  }

  @Test
  void expensiveWorkDoesNotMakeANodeSlow() {
    SearchLoad cheapAndExpensive = new SearchLoad(Coordinator.WORKERS, coordinator.clock);
    SearchLoad cheapOnly = new SearchLoad(Coordinator.WORKERS, coordinator.clock);
    for (int i = 0; i < 20; i++) {
      exchange("cheap", "s", "a", 10, cheapAndExpensive);
      exchange("cheap", "s", "b", 10, cheapOnly);
      exchange("expensive", "s", "a", 1000, cheapAndExpensive);
    }
    assertThat(coordinator.statistics("a").adaptive().slowness()).isCloseTo(1, within(0.1));
    assertThat(coordinator.statistics("b").adaptive().slowness()).isCloseTo(1, within(0.1));
  }

  private void exchange(String kind, String shard, String node, long millis, SearchLoad load) {
    Attempt attempt = coordinator.selection.search(kind).sent(shard, node, Purpose.FIRST);
    SearchLoad.Task task = load.submitted(attempt.expectedNanos());
    task.started();
    coordinator.clock.advanceMillis(millis);
    attempt.answered(task.finished(), load.report());
  }

  @Test
  void theOrderHoldsEachCopyOnce() {
    bothKnown();
    coordinator.fail("b", Failure.ERROR);
    for (Strategy strategy : Strategy.values()) {
      coordinator.selection.settings(SelectionSettings.DEFAULTS.with(strategy));
      assertThat(coordinator.order("a", "b", "c", "d"))
          .containsExactlyInAnyOrder("a", "b", "c", "d");
    }
  }

  private void bothKnown() {
    coordinator.answer("a", 1, report(1, 0));
    coordinator.answer("b", 1, report(1, 0));
  }
}
