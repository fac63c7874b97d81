package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OffsetLaneTest {

  private final OffsetLane lane = new OffsetLane("broker 1", 0);

  private List<OffsetLane.Place> enter(int requests) {
    return IntStream.range(0, requests).mapToObj(_ -> lane.enter()).toList();
  }

  private static boolean hasItsTurn(OffsetLane.Place place) {
    return place.granted().getNow(false);
  }

  @Test
  void aTurnThatEndsIsPassedOnInTheOrderOfArrival() {
    List<OffsetLane.Place> first = enter(OffsetLane.TURNS);
    List<OffsetLane.Place> waiting = enter(3);
    assertThat(first).extracting(OffsetLaneTest::hasItsTurn).containsOnly(true);
    assertThat(waiting).extracting(OffsetLaneTest::hasItsTurn).containsOnly(false);

    lane.leave(first.getLast());
    assertThat(waiting).extracting(OffsetLaneTest::hasItsTurn).containsExactly(true, false, false);

    lane.leave(first.getFirst());
    assertThat(waiting).extracting(OffsetLaneTest::hasItsTurn).containsExactly(true, true, false);
  }

  @Test
  void aRequestThatNoLongerWaitsGetsNoTurnAndTakesNone() {
    List<OffsetLane.Place> first = enter(OffsetLane.TURNS);
    List<OffsetLane.Place> waiting = enter(2);

    lane.leave(waiting.getFirst());
    lane.leave(first.getFirst());

    assertThat(waiting).extracting(OffsetLaneTest::hasItsTurn).containsExactly(false, true);
  }

  @Test
  void allTurnsAreFreeAgainAfterTheirRequests() {
    List<OffsetLane.Place> all = enter(OffsetLane.TURNS + 3);
    all.forEach(lane::leave);

    assertThat(enter(OffsetLane.TURNS)).allMatch(OffsetLaneTest::hasItsTurn);
    assertThat(hasItsTurn(lane.enter())).isFalse();
  }

  /** The thread of an earlier answer may note it later. */
  @Test
  void theNewestAnswerCountsInWhicheverOrderTheyAreNoted() {
    lane.answered(5);
    lane.answered(1);

    assertThat(lane.nanosSinceAnswer(7)).isEqualTo(2);
  }

  @Test
  void answersAreComparedAcrossTheOverflowOfTheClock() {
    OffsetLane old = new OffsetLane("broker 1", Long.MAX_VALUE - 1);
    old.answered(Long.MIN_VALUE + 1);

    assertThat(old.nanosSinceAnswer(Long.MIN_VALUE + 3)).isEqualTo(2);
  }
}
