package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OffsetLaneTest {

  private final OffsetLane lane = new OffsetLane("broker 1", 0);

  private List<CompletableFuture<Boolean>> enter(int requests) {
    return IntStream.range(0, requests).mapToObj(_ -> lane.enter()).toList();
  }

  @Test
  void aTurnThatEndsIsPassedOnInTheOrderOfArrival() {
    List<CompletableFuture<Boolean>> first = enter(OffsetLane.TURNS);
    List<CompletableFuture<Boolean>> waiting = enter(3);
    assertThat(first).allSatisfy(turn -> assertThat(turn).isCompletedWithValue(true));
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    lane.leave(first.getLast());
    assertThat(waiting).extracting(CompletableFuture::isDone).containsExactly(true, false, false);

    lane.leave(first.getFirst());
    assertThat(waiting).extracting(CompletableFuture::isDone).containsExactly(true, true, false);
  }

  @Test
  void aRequestThatNoLongerWaitsGetsNoTurnAndTakesNone() {
    List<CompletableFuture<Boolean>> first = enter(OffsetLane.TURNS);
    List<CompletableFuture<Boolean>> waiting = enter(2);

    lane.leave(waiting.getFirst());
    lane.leave(first.getFirst());

    assertThat(waiting.getFirst()).isNotDone();
    assertThat(waiting.getLast()).isCompletedWithValue(true);
  }

  @Test
  void allTurnsAreFreeAgainAfterTheirRequests() {
    List<CompletableFuture<Boolean>> all = enter(OffsetLane.TURNS + 3);
    all.forEach(lane::leave);

    assertThat(enter(OffsetLane.TURNS)).allMatch(CompletableFuture::isDone);
    assertThat(lane.enter()).isNotDone();
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
