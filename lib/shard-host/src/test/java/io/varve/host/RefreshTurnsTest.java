package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefreshTurnsTest {

  private long nanos;
  private final RefreshTurns turns = new RefreshTurns(2, () -> nanos);
  private final List<String> begun = new ArrayList<>();

  private RefreshTurns.Turn ask(String copy, long dueMillis) {
    return turns.ask(dueMillis, _ -> begun.add(copy));
  }

  @Test
  void asManyAsTheLimitRunAtOnce() {
    ask("a", 10);
    ask("b", 11);
    ask("c", 12);

    assertThat(begun).containsExactly("a", "b");
    assertThat(turns.running()).isEqualTo(2);
    assertThat(turns.waiting()).isEqualTo(1);
  }

  @Test
  void theTurnThatHasBeenDueForLongestIsNext() {
    RefreshTurns.Turn first = ask("a", 10);
    RefreshTurns.Turn second = ask("b", 10);
    ask("late", 30);
    ask("early", 20);
    ask("later", 30);

    first.end();
    second.end();

    assertThat(begun).containsExactly("a", "b", "early", "late");
  }

  @Test
  void aTurnThatEndsTwiceMakesRoomOnce() {
    RefreshTurns.Turn first = ask("a", 10);
    ask("b", 10);
    ask("c", 20);
    ask("d", 20);

    first.end();
    first.end();

    assertThat(begun).containsExactly("a", "b", "c");
    assertThat(first.hasEnded()).isTrue();
    assertThat(turns.ended()).isEqualTo(1);
  }

  @Test
  void aWaitingTurnThatEndsNeverBegins() {
    RefreshTurns.Turn first = ask("a", 10);
    ask("b", 10);
    ask("closed", 20).end();

    first.end();

    assertThat(begun).containsExactly("a", "b");
    assertThat(turns.waiting()).isZero();
    assertThat(turns.running()).isEqualTo(1);
    assertThat(turns.ended()).isEqualTo(1);
  }

  @Test
  void turnsThatEndAsSoonAsTheyBeginDoNotDeepenTheStack() {
    RefreshTurns.Turn first = ask("a", 10);
    RefreshTurns.Turn second = ask("b", 10);
    int[] depths = {0, 0};
    IntStream.range(0, 100_000)
        .forEach(_ ->
            turns.ask(
                20,
                turn -> {
                  depths[0]++;
                  depths[1] = Math.max(depths[1], depths[0]);
                  turn.end();
                  depths[0]--;
                }));

    first.end();
    second.end();

    assertThat(depths[1]).isEqualTo(1);
    assertThat(turns.ended()).isEqualTo(100_002);
    assertThat(turns.waiting()).isZero();
    assertThat(turns.running()).isZero();
  }

  @Test
  void aFailureAtTheBeginningMakesRoomForOthers() {
    ask("a", 10);
    assertThatThrownBy(() ->
            turns.ask(
                10,
                _ -> {
                  throw new IllegalStateException("no thread");
                }))
        .hasMessage("no thread");
    ask("b", 20);

    assertThat(begun).containsExactly("a", "b");
    assertThat(turns.running()).isEqualTo(2);
  }

  /**
   * Copies ask as soon as they are due, at intervals from 0 to 5 s, and there are far more of them
   * than turns: none is overtaken by more turns than there are other copies.
   */
  @Test
  void noCopyStarvesWhenMoreAreDueThanCanRun() {
    List<Copy> copies =
        IntStream.range(0, 50)
            .mapToObj(i -> new Copy(List.of(0, 20, 1_000, 5_000).get(i % 4)))
            .toList();
    SplittableRandom random = new SplittableRandom(7);
    List<Copy> running = new ArrayList<>();
    for (long nowMillis = 0; nowMillis < 500_000; nowMillis += 50) {
      for (Copy copy : copies) {
        if (copy.turn == null && copy.dueMillis <= nowMillis) {
          copy.begunBefore = begun.size();
          copy.turn =
              turns.ask(
                  copy.dueMillis,
                  _ -> {
                    begun.add("copy");
                    running.add(copy);
                    assertThat(begun.size() - copy.begunBefore).isLessThanOrEqualTo(copies.size());
                  });
        }
      }
      Copy done = running.remove(random.nextInt(running.size()));
      RefreshTurns.Turn turn = done.turn;
      done.turn = null;
      done.dueMillis = nowMillis + done.intervalMillis;
      turn.end();
    }

    assertThat(begun).hasSizeGreaterThan(9_000);
  }

  private static final class Copy {
    private final long intervalMillis;
    private long dueMillis;
    private int begunBefore;
    private RefreshTurns.@Nullable Turn turn;

    Copy(long intervalMillis) {
      this.intervalMillis = intervalMillis;
    }
  }

  @Test
  void countsTheTimeThatTurnsWait() {
    RefreshTurns.Turn first = ask("a", 10);
    ask("b", 10);
    ask("c", 20);
    nanos = 5_000;
    first.end();

    assertThat(turns.waitedNanos()).isEqualTo(5_000);
    assertThat(turns.mostRunning()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "8, 4", "19, 10", "20, 10", "64, 10"})
  void halfOfTheProcessorsRefreshButAtMostTen(int processors, int limit) {
    assertThat(RefreshTurns.usualLimit(processors)).isEqualTo(limit);
  }

  @Test
  void theLimitIsAtLeastOne() {
    assertThatThrownBy(() -> new RefreshTurns(0, () -> nanos))
        .hasMessage("the limit of refreshes must be >= 1, was 0");
  }
}
